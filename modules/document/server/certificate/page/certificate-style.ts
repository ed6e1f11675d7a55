import { cssString } from '../../../../../platform/print/css-string.ts'

/** @param running what stands at the foot of each page; `pageOf` is split where the two numbers stand. */
export function runningStyle(running: {
  readonly foot: string
  readonly pageOf: readonly [before: string, between: string, after: string]
}): string {
  const font =
    "font:7.5pt/1.3 'Source Sans 3',sans-serif;font-variant-ligatures:none;color:#4a5560;vertical-align:top;padding-top:3mm"
  const [before, between, after] = running.pageOf.map(cssString)
  return `@page{size:210mm 297mm;margin:11mm 16mm 14mm;
@bottom-left{content:${cssString(running.foot)};${font}}
@bottom-right{content:${before} counter(page) ${between} counter(pages) ${after};${font}}}`
}

export const certificateStyle = `
*{box-sizing:border-box}
html{font:8.5pt/1.34 'Source Sans 3','Noto Sans','Noto Sans CJK SC',sans-serif;color:#16202b;-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{margin:0;hyphens:manual;overflow-wrap:anywhere}
p{margin:0 0 1.2mm;orphans:2;widows:2}
h1,h2,h3{font-family:'Source Serif 4','Noto Serif','Noto Serif CJK SC',serif;font-weight:600;break-after:avoid;line-height:1.2;margin:0}
h2{font-size:11.5pt;margin:2.6mm 0 .8mm;padding-bottom:.8mm;border-bottom:.8pt solid #0f5e63}
h3{font-size:9.6pt;margin:0 0 .8mm}
code,pre,.url{font-family:'IBM Plex Mono','DejaVu Sans Mono',monospace;font-variant-ligatures:none;overflow-wrap:anywhere}
code,.url{font-size:.88em}
pre{margin:.4mm 0 0;padding:.9mm 2mm;background:#f4f2ec;border-left:1.4pt solid #0f5e63;white-space:pre-wrap;font-size:6.9pt;line-height:1.3;break-inside:avoid}
bdi .unseen,.unseen{font:500 .72em 'IBM Plex Mono',monospace;color:#b3321f;border:.5pt solid #b3321f;border-radius:1mm;padding:0 .8mm;white-space:nowrap;unicode-bidi:isolate;direction:ltr}
.left-out,.annex{color:#4a5560;font-size:.92em}
.head{display:grid;grid-template-columns:1fr 30mm;gap:6mm;align-items:center}
.head .brand{font:600 9.5pt 'Source Serif 4',serif;letter-spacing:.32em;text-transform:uppercase;color:#b3321f;margin:0 0 .6mm}
.head h1{font-size:21pt;margin:0 0 1.6mm}
.head .name{font:400 11pt/1.25 'Source Serif 4','Noto Serif','Noto Serif CJK SC',serif;margin:0 0 1.6mm}
.head .name b{font-weight:600}
.head .name.long{font-size:9.6pt}
.head .id{color:#4a5560;margin:0}
.head svg{width:30mm;height:30mm;display:block}
.lead{margin-bottom:1mm}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;vertical-align:top}
td{vertical-align:top;overflow-wrap:anywhere}
tr{break-inside:avoid}
thead th{font-size:7.6pt;color:#4a5560;border-bottom:.6pt solid #16202b;padding:0 2mm .4mm 0}
tbody th,tbody td{padding:.6mm 2mm .6mm 0;border-bottom:.4pt solid #d9d5ca}
.facts th{width:41mm;white-space:nowrap;color:#4a5560}
.facts .print{font-size:8.4pt;color:#b3321f;font-weight:500;letter-spacing:-.01em}
.facts ol{margin:0;padding-left:4.5mm}
.events th:nth-child(1){width:36mm}.events th:nth-child(2){width:58mm}
.boxes{display:grid;grid-template-columns:1fr 1fr;gap:3mm;margin-top:3mm}
.box{padding:1.8mm 2.8mm;background:#f4f2ec;break-inside:avoid;font-size:8.1pt;line-height:1.32}
.box ul{margin:0;padding-left:4mm}.box li{margin-bottom:.6mm}
.box h2{border:none;margin:0 0 .8mm;padding:0;font-size:10.5pt}
.verify{break-inside:avoid}
.how{display:grid;grid-template-columns:1fr;gap:4mm}.how.shared{grid-template-columns:1fr 30mm}.how.shared pre{font-size:6.5pt}
.steps{margin:0;padding-left:4.5mm}.steps li{margin-bottom:.9mm;break-inside:avoid}
.page svg{width:26mm;height:26mm;display:block;margin:0 auto}.page p{font-size:6.8pt;line-height:1.25;color:#4a5560}
.nature{margin:2mm 0 0;font-weight:600}
.made{color:#4a5560;font-size:7.6pt;margin:.6mm 0 0}
`

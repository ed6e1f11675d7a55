import { cssString } from '../../../../platform/print/css-string.ts'

/**
 * Room for a picture on a page, as height divided by width: A4 less the margins below is 174 × 251 mm; the caption takes
 * up to 15 mm of it, and on the first page of a picture its heading takes 18 mm more.
 */
export const pictureAspect = { first: 214 / 174, next: 234 / 174 }

/** @param running texts in the margins; `pageOf` is split where the two numbers stand. */
export function pageStyle(running: {
  /** Stands first in the head of every page, the cover's too; null for the document itself. */
  readonly preview: string | null
  readonly header: string
  readonly root: string
  readonly pageOf: readonly [before: string, between: string, after: string]
}): string {
  const font = "font:8pt/1.3 'Source Sans 3',sans-serif;font-variant-ligatures:none;color:#4a5560"
  const [before, between, after] = running.pageOf.map(cssString)
  const { preview } = running
  const marked = `content:${cssString(preview ?? '')};font:600 9pt/1.3 'Source Sans 3',sans-serif;color:#b3321f;vertical-align:bottom;padding-bottom:2mm`
  const first =
    preview === null
      ? '@top-left{content:none;border:none}@top-right{content:none;border:none}@bottom-left{content:none}@bottom-right{content:none}'
      : `@top-left{${marked};border:none}@top-right{content:none;border:none}@bottom-left{${marked};padding-top:5mm}@bottom-right{content:none}`
  const foot = preview === null ? `content:"Probant";${font};letter-spacing:.08em` : marked
  return `@page{size:210mm 297mm;margin:22mm 18mm 24mm;
@top-left{content:${cssString(running.header)};${font};border-bottom:.4pt solid #c9c5ba;vertical-align:bottom;padding-bottom:2mm;margin-bottom:5mm}
@top-right{content:${cssString(running.root)};${font};border-bottom:.4pt solid #c9c5ba;vertical-align:bottom;padding-bottom:2mm;margin-bottom:5mm}
@bottom-left{${foot};vertical-align:top;padding-top:5mm}
@bottom-right{content:${before} counter(page) ${between} counter(pages) ${after};${font};vertical-align:top;padding-top:5mm}}
@page:first{margin-top:20mm;${first}}`
}

export const style = `
*{box-sizing:border-box}
html{font:10pt/1.45 'Source Sans 3','Noto Sans','Noto Sans CJK SC',sans-serif;color:#16202b;-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{margin:0;hyphens:manual;overflow-wrap:anywhere}
p{margin:0 0 2.2mm;orphans:3;widows:3}
h1,h2,h3{font-family:'Source Serif 4','Noto Serif','Noto Serif CJK SC',serif;font-weight:600;break-after:avoid;line-height:1.2}
h2{font-size:19pt;margin:0 0 5mm;padding-bottom:2.4mm;border-bottom:1.2pt solid #0f5e63}
h2 .number{color:#0f5e63;margin-right:2.5mm}
h3{font-size:12.5pt;margin:6mm 0 2mm}
code,pre,.url,.path{font-variant-ligatures:none}
code,pre,.url{font-family:'IBM Plex Mono','DejaVu Sans Mono',monospace;font-size:.86em;overflow-wrap:anywhere}
pre{margin:1mm 0 0;padding:2mm 3mm;background:#f4f2ec;border-left:1.6pt solid #0f5e63;white-space:pre-wrap;font-size:8pt;line-height:1.4;break-inside:avoid}
.unseen{font:500 .72em 'IBM Plex Mono',monospace;color:#b3321f;border:.5pt solid #b3321f;border-radius:1mm;padding:0 .8mm;white-space:nowrap;unicode-bidi:isolate;direction:ltr}
.left-out{color:#4a5560;font-style:normal;font-size:.9em}
.annex{color:#4a5560;font-size:8.5pt;overflow-wrap:anywhere}
.alert{border-left:1.6pt solid #b3321f;padding:1.5mm 3mm;background:#fbf1ee}
.alert,.note{break-inside:avoid}
p:has(+table){break-inside:avoid;break-after:avoid}
.note{border-left:1.6pt solid #0f5e63;padding:1.5mm 3mm;background:#f1f6f5}
section{break-before:page}
section.conditions,section.machine,section.server,section.path,section.vantage,section.certificates,section.timestamps,section.pieces,section.seal,section.verify,section.limits,section.glossary{break-before:auto;margin-top:11mm}
section.machine,section.glossary{break-inside:avoid}
section.summary h2{margin-bottom:3.5mm}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;vertical-align:top}
td{vertical-align:top}
tr{break-inside:avoid}
thead th{font-size:8.5pt;color:#4a5560;font-weight:600;border-bottom:.8pt solid #16202b;padding:0 2mm 1mm 0}
tbody th,tbody td{padding:1.25mm 2mm 1.25mm 0;border-bottom:.4pt solid #d9d5ca}
.figure{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
table.facts{break-inside:avoid}
table.facts th{width:41mm;color:#4a5560;font-weight:600}
table.facts td{overflow-wrap:anywhere}
.cover{height:253mm;display:flex;flex-direction:column}
.cover .brand{font:600 11pt 'Source Serif 4',serif;letter-spacing:.32em;text-transform:uppercase;color:#b3321f;margin:0 0 1mm}
.cover .document{font-size:12.5pt;color:#4a5560;margin:0;padding-bottom:4mm;border-bottom:.6pt solid #c9c5ba}
.cover .preview-note{margin:3mm 0 0;padding:2mm 4mm;border:1pt solid #b3321f;color:#b3321f;font-weight:600;font-size:10.5pt}
.cover h1{font-size:26pt;line-height:1.16;margin:8mm 0 3mm;overflow-wrap:anywhere;max-height:62mm;overflow:hidden}
.cover h1.long{font-size:18pt}
.cover h1 .left-out{font:400 10pt 'Source Sans 3',sans-serif}
.cover h1 .unseen{font-size:.5em;vertical-align:.18em}
.cover .address{font-size:11pt;color:#0f5e63;margin:0;max-height:27mm;overflow:hidden}
.cover .shown{margin:6mm 0 0;flex:0 1 auto;min-height:0;overflow:hidden}
.cover .shown img,.glance img{display:block;object-fit:contain;object-position:top left;border:.5pt solid #c9c5ba}
.cover .shown img{width:104mm;height:65mm}
.cover .shown figcaption{margin-top:1mm}
.cover .plate{margin-top:auto;display:grid;grid-template-columns:58mm 1fr;gap:10mm;align-items:center}
.cover .rosette svg{width:58mm;height:58mm;display:block}
.cover dl{margin:0;font-size:9.4pt;line-height:1.36}
.cover dt{font-size:8.2pt;color:#4a5560;margin-top:2mm}
.cover dd{margin:0;overflow-wrap:anywhere}
.cover .root{margin:5mm 0 0;padding-top:2.5mm;border-top:.6pt solid #c9c5ba}
.cover .root span{display:block;font-size:8.5pt;color:#4a5560}
.cover .root code{font-size:10.2pt;color:#b3321f;font-weight:500}
.cover .hint{font-size:8.5pt;color:#4a5560;margin:1.5mm 0 0;max-width:150mm}
.cover .nature{margin:3mm 0 0;font-size:9pt;font-weight:600}
.watermark{position:fixed;inset:0;z-index:9;display:flex;flex-direction:column;justify-content:space-around;align-items:center;pointer-events:none}
.watermark span{font:600 24pt 'Source Sans 3',sans-serif;letter-spacing:.06em;color:#b3321f;opacity:.24;transform:rotate(-24deg);white-space:nowrap}
.glance{display:grid;grid-template-columns:1fr 52mm;gap:6mm;margin-bottom:2mm}
.glance img{width:52mm;height:32.5mm}
.glance figcaption{margin-top:1mm}
.boxes{display:grid;grid-template-columns:1fr 1fr;gap:3mm;margin-top:2.5mm}
.box{padding:2mm 3mm;background:#f4f2ec;break-inside:avoid;font-size:8.5pt;line-height:1.34}
.box h3{margin:0 0 1mm;font-size:10.5pt}
.box p{margin:0 0 .6mm}.box ul,.box ol{margin:0;padding-left:4.5mm}.box li{margin-bottom:.5mm}
.verdict.good{color:#0f5e63}.verdict.doubtful{color:#8a5a00}.verdict.poor{color:#b3321f}
.pairs{display:grid;grid-template-columns:1fr 1fr;gap:5mm;margin:2mm 0 3mm}
.objection{break-inside:avoid-page;margin:0 0 4.5mm;padding:0 0 2.5mm;border-bottom:.4pt solid #d9d5ca}
.objection h3{margin:0 0 .8mm;font-size:11.5pt}
.objection .state{font-weight:600;font-size:9pt;margin:0 0 1mm}
.objection ul{margin:0;padding-left:4.5mm;font-size:9pt;line-height:1.38}
.objection li{margin-bottom:.9mm;overflow-wrap:anywhere}
.objection .annex{font-size:8pt}
.objection .rest{margin:1mm 0 0;font-size:8.8pt;color:#4a5560}
.state.answered{color:#0f5e63}.state.partly{color:#8a5a00}.state.open{color:#4a5560}.state.against{color:#b3321f}
.mark{font-weight:600}.mark.pass{color:#0f5e63}.mark.fail{color:#b3321f}.mark.weak{color:#8a5a00}.mark.not_measured{color:#4a5560}
.stamps,.comparison{font-size:8.2pt;line-height:1.34;table-layout:fixed}.stamps td,.comparison td{overflow-wrap:anywhere}.stamps .hash{font-size:6.6pt}
.stamps th:nth-child(1){width:24mm}.stamps th:nth-child(2){width:54mm}.stamps th:nth-child(3){width:40mm}
.comparison th:nth-child(1){width:32mm}.comparison th:nth-child(2){width:25mm}
.compact{font-size:9pt}
.lead{font:400 9.8pt/1.36 'Source Serif 4',serif;margin-bottom:2.5mm}
.summary table.facts{font-size:8.7pt;line-height:1.28}.summary table.facts th{width:30mm}.summary table.facts th,.summary table.facts td{padding-top:.45mm;padding-bottom:.45mm}
.scope{margin-top:3mm}
.scope h3{margin:0 0 1.5mm;font-size:11.5pt}
.notes{padding-left:5mm}.notes li{margin-bottom:1.8mm}.notes li::marker{color:#b3321f}
.losses{padding-left:5mm;font-size:9pt}
.checklist th{font-weight:400}.checklist th p{margin:.6mm 0 0;font-size:9pt;overflow-wrap:anywhere}
.checklist .result{width:27mm;font-weight:600;text-align:right;padding-right:0}.checklist thead th:last-child,.pieces thead th:last-child{text-align:right;padding-right:0}.pieces td.figure{padding-right:0}
.result.pass{color:#0f5e63}.result.fail{color:#b3321f}.result.not_measured{color:#4a5560;font-weight:400}
.pair{display:inline-block;margin-right:3mm}
.steps{padding-left:6mm}.steps li{margin-bottom:2.4mm;break-inside:avoid}.steps p{margin:.4mm 0 0}.steps .time{color:#4a5560;margin-left:2mm}
figure{margin:0 0 2mm;break-inside:avoid}
figure img{display:block;width:100%;height:auto;border:.5pt solid #c9c5ba}
figcaption{font-size:8.5pt;color:#4a5560;margin-top:1.6mm}
figcaption b{color:#16202b}
figcaption .source{display:block;font-size:7.4pt;overflow-wrap:anywhere}figcaption .source .hash{font-size:6.6pt}
.full-page{break-before:page}
.full-page h3,.exhibits h3{margin-top:0}
.exchanges{font-size:6.9pt;line-height:1.28;table-layout:fixed}
.exchanges th:nth-child(1){width:8mm}.exchanges th:nth-child(2){width:15mm}.exchanges th:nth-child(3){width:13mm}.exchanges th:nth-child(5){width:10mm}.exchanges th:nth-child(6){width:20mm}.exchanges th:nth-child(7){width:13mm}.exchanges th:nth-child(8){width:21mm}.exchanges th:nth-child(9){width:20mm}
.exchanges td{overflow-wrap:anywhere}.exchanges th:nth-child(1),.exchanges th:nth-child(5),.exchanges th:nth-child(7){text-align:right}.exchanges thead th{font-size:7pt}
.exchanges tbody td{padding:.7mm 1.5mm .7mm 0}.exchanges code{font-size:.9em}
.visits{font-size:7.6pt;line-height:1.32;table-layout:fixed}.visits td{overflow-wrap:anywhere}.visits thead th{font-size:7.4pt}
.visits th:nth-child(1){width:8mm}.visits th:nth-child(2){width:19mm}.visits th:nth-child(3){width:22mm}.visits th:nth-child(4){width:12mm}.visits th:nth-child(5){width:25mm}.visits th:nth-child(6){width:12mm}
.visits .annex{font-size:7pt}.visits th:nth-child(1),.visits th:nth-child(4),.visits th:nth-child(6){text-align:right}.visits td.figure{padding-right:3mm}.visits th:nth-child(1),.visits th:nth-child(4),.visits th:nth-child(6){padding-right:3mm}
.count-grid{display:grid;grid-template-columns:1fr 1fr;gap:8mm;align-items:start;margin-bottom:2mm}.counts{font-size:8.8pt}.counts th{font-weight:400}.counts thead th:last-child{text-align:right;padding-right:0}.counts tbody th,.counts tbody td{padding-top:.7mm;padding-bottom:.7mm}.counts td.figure{padding-right:0}
.session table+p,.path table+p{margin-top:2.5mm}.count-grid{break-inside:avoid}.session .time{color:#4a5560}.session h4{font-size:10pt;margin:3mm 0 1mm}.session li{break-inside:avoid}
blockquote{margin:1mm 0 0;padding:1mm 3mm;border-left:1.2pt solid #c9c5ba;overflow-wrap:anywhere}
.taken{font-size:8.8pt;line-height:1.36;max-height:20mm;overflow:hidden;margin-bottom:2mm}
.shot{break-inside:avoid;margin-top:7mm}.shot figure img{width:auto;max-width:130mm;max-height:185mm}
.frames{break-before:page}.frame-grid{display:grid;grid-template-columns:1fr 1fr;gap:5mm}.frame-grid figure{margin:0}
.chains{font-size:8pt;table-layout:fixed}.chains td{overflow-wrap:anywhere}.chains .hash{font-size:6.5pt}.chains th:nth-child(1){width:92mm}.chains th:nth-child(3){width:36mm}
.verify p:has(+ol){break-after:avoid}
.verify h3+p{break-inside:avoid}
.hash{font-size:7.9pt;letter-spacing:-.01em}
.pieces tbody td{padding-top:.9mm;padding-bottom:.9mm}
.pieces .path{font:500 8.6pt 'IBM Plex Mono',monospace}.pieces .role{color:#4a5560;font-size:8.8pt;margin-left:1.5mm}.pieces .hash{color:#4a5560}
.commands{padding-left:6mm}.commands li{margin-bottom:2.6mm;break-inside:avoid}
.glossary dl{display:grid;grid-template-columns:41mm 1fr;gap:1.6mm 0;margin:0}.glossary dt{font-weight:600}.glossary dd{margin:0;break-inside:avoid}
`

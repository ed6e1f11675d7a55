/** One page that states the result, in words alone: drawn by React, by `verify.html`, or written as a file. */
export type MinutesBlock =
  | { readonly tag: 'h1' | 'h2' | 'h3' | 'p' | 'strong' | 'code'; readonly text: string }
  | { readonly tag: 'ul'; readonly lines: readonly string[] }
  | { readonly tag: 'dl'; readonly rows: readonly (readonly [name: string, value: string])[] }

/** The minutes as a file of their own: no script, no style from elsewhere, everything that a stranger wrote escaped. */
export function minutesHtml(blocks: readonly MinutesBlock[], locale: string): string {
  const line = (block: MinutesBlock): string => {
    if (block.tag === 'dl')
      return `<dl>${block.rows.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`
    if (block.tag === 'ul') return `<ul>${block.lines.map((each) => `<li>${escaped(each)}</li>`).join('')}</ul>`
    if (block.tag === 'strong' || block.tag === 'code') return `<p><${block.tag}>${escaped(block.text)}</${block.tag}></p>`
    return `<${block.tag}>${escaped(block.text)}</${block.tag}>`
  }
  const title = blocks[0]?.tag === 'h1' ? blocks[0].text : ''
  const style =
    'body{font:11pt/1.4 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:18pt}h2{font-size:13pt}h3{font-size:11pt}code{font-size:9pt}dl{display:grid;grid-template-columns:11rem 1fr;gap:.15rem .75rem}dd{margin:0}@page{size:A4;margin:14mm}@media print{body{font-size:9pt;line-height:1.3;margin:0;padding:0}p,ul,dl,h1,h2,h3{margin-block:0 2mm}}'
  return `<!doctype html>\n<html lang="${escaped(locale)}">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n<title>${escaped(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n${blocks.map(line).join('\n')}\n</body>\n</html>\n`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

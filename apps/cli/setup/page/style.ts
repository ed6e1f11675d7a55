/** Alone on its page: the product's own styles are of an application that does not run yet. */
export const style = `
:root{color-scheme:light dark;--paper:#fbfaf7;--surface:#fff;--ink:#16202b;--soft:#434d58;--line:#dcd8ce;--control:#767d84;--accent:#0f5e63;--on:#fff;--good:#1c6236;--bad:#951b34;--sunken:#f2f0ea}
@media (prefers-color-scheme:dark){:root{--paper:#10161d;--surface:#18212a;--ink:#eeeae1;--soft:#b9c0c7;--line:#2f3b46;--control:#83909b;--accent:#7fcbca;--on:#08191b;--good:#8ed6a6;--bad:#ffa3b0;--sunken:#0b1015}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 'Source Sans 3',system-ui,sans-serif;overflow-wrap:break-word}
header{display:flex;justify-content:space-between;gap:1rem;padding:.75rem 1rem;border-bottom:1px solid var(--line);background:var(--surface)}
.name{font-weight:600}
a{color:var(--accent)}
.columns{display:grid;gap:2rem;max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}
@media (min-width:60rem){.columns{grid-template-columns:minmax(0,1fr) 19rem}}
main{min-width:0;max-width:38rem}
h1{font:600 1.75rem/1.2 'Source Serif 4',Georgia,serif;margin:0 0 1rem}
h2{font:600 1.25rem/1.3 'Source Serif 4',Georgia,serif;margin:2rem 0 .5rem}
.place,.hint{color:var(--soft);margin:0}
.hint{display:block;font-size:1rem}
nav ol{list-style:none;margin:0;padding:1rem;border:1px solid var(--line);border-radius:6px;background:var(--surface)}
nav li{display:flex;gap:.5rem;padding:.3rem 0}
nav a{color:inherit}
nav a[aria-current]{font-weight:600;text-decoration:none}
.sign{color:var(--good);width:1rem;flex:none;text-align:center}
.field,fieldset{margin:0 0 1.25rem}
fieldset{border:0;padding:0;min-width:0}
.field label,legend{display:block;font-weight:600;padding:0}
input:not([type=radio],[type=checkbox]){width:100%;min-height:2.75rem;margin-top:.25rem;padding:.5rem .7rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--control);border-radius:6px}
input[aria-invalid=true]{border-color:var(--bad)}
.choice{display:flex;align-items:center;gap:.6rem;min-height:2.75rem}
.choice input{width:1.2rem;height:1.2rem;flex:none;accent-color:var(--accent)}
button,.button{display:inline-block;min-height:2.75rem;margin:0 .75rem .75rem 0;padding:.55rem 1.25rem;font:inherit;font-weight:600;border:2px solid var(--accent);border-radius:6px;background:var(--accent);color:var(--on);text-decoration:none;cursor:pointer}
button.quiet{background:none;color:var(--accent)}
button[aria-disabled=true]{opacity:.7;cursor:progress}
.found{list-style:none;margin:0 0 1.25rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:6px;background:var(--surface)}
.found li{padding:.15rem 0}
.right{color:var(--good)}
.wrong{color:var(--bad)}
dl{display:grid;grid-template-columns:minmax(0,1fr);margin:0 0 1.5rem}
dt{font-family:'IBM Plex Mono',ui-monospace,monospace;font-size:1rem;padding-top:.6rem;border-top:1px solid var(--line)}
dd{margin:0;padding-bottom:.6rem;color:var(--soft);overflow-wrap:anywhere}
pre{max-height:24rem;overflow:auto;margin:0 0 1.25rem;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere;font:1rem/1.5 'IBM Plex Mono',ui-monospace,monospace;background:var(--sunken);border:1px solid var(--line);border-radius:6px}
code{font-family:'IBM Plex Mono',ui-monospace,monospace}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

/** What is being tried takes its time: said on the button, and not sent twice. Pages work without it. */
export const script = `
for (const form of document.forms)
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent === 'yes') return event.preventDefault()
    form.dataset.sent = 'yes'
    const button = event.submitter
    if (!button || !form.dataset.busy || button.name === 'keep') return
    button.setAttribute('aria-disabled', 'true')
    button.textContent = form.dataset.busy
  })
addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })
`

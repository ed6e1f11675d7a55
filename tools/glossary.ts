/**
 * One thing, one word, in each language. `npm run documents` writes docs/GLOSSARY.md; a test holds every catalogue and help page to it.
 */
import { fileURLToPath } from 'node:url'

export type Term = {
  /** As the pages say it. */
  readonly en: string
  readonly fr: string
  readonly meaning: string
  /** Where the English speaks of it. */
  readonly where: RegExp
  /** …unless it speaks of something else by the same word. */
  readonly unless?: RegExp
  /** What the French then says. */
  readonly said: RegExp
  /** What it must not say: another thing’s word. */
  readonly never?: RegExp
}

export const terms: readonly Term[] = [
  {
    en: 'package',
    fr: 'dossier de preuve, dossier',
    meaning:
      'The ZIP file of a report: pieces, seal, verifier. Packages of an operating system and packets of sound are “paquets”.',
    where: /\bpackages?\b/i,
    unless: /\b(?:installed|system|npm) packages\b|\bpackage manager\b|origin, select/i,
    said: /dossier/i,
    never: /\bpaquets?\b/i,
  },
  {
    en: 'backup',
    fr: 'sauvegarde',
    meaning:
      'A whole installation as it was at a moment, kept elsewhere: database, blobs and keys. What brings it back is a “restauration”.',
    where: /\bbackups?\b(?! (?:list|verify)\b)/i,
    unless: /^probant /,
    said: /sauvegarde|backup/i,
    never: /\bcopies? de secours\b/i,
  },
  {
    en: 'public log',
    fr: 'journal public',
    meaning:
      'The append-only log in which every sealed root has an entry. A “registre” is kept by an authority, or is the record of acts.',
    where: /\bpublic logs?\b|\b(?:in|entry of|entry in|entered in) the log\b/i,
    said: /\bjournal\b|\bjournaux\b/i,
    never: /\bregistres?\b/i,
  },
  {
    en: 'record of acts',
    fr: 'registre des actes',
    meaning: 'The chained record of what matters to security.',
    where: /\brecord of acts\b/i,
    said: /registre des actes/i,
    never: /\bjournal\b/i,
  },
  {
    en: 'evidence record',
    fr: 'enregistrement de preuve',
    meaning: 'RFC 4998 and RFC 6283: time stamps that renew each other, and the way from a file to them.',
    where: /\bevidence records?\b/i,
    said: /enregistrements? de preuve/i,
    never: /dossiers? de preuve/i,
  },
  {
    en: 'checkpoint (of a log)',
    fr: 'état signé (du journal)',
    meaning: 'What the log’s operator signs: size and root at one moment (C2SP tlog-checkpoint).',
    where: /\bcheckpoint of (?:a|the) (?:public )?log\b|\bnewest checkpoint\b|\bkept checkpoint\b/i,
    said: /états? signés?/i,
    never: /points? de contrôle/i,
  },
  {
    en: 'time stamp',
    fr: 'horodatage; jeton d’horodatage for its bytes',
    meaning: 'RFC 3161.',
    where: /\btime stamps?\b/i,
    said: /horodat|jeton/i,
    never: /\btimestamp/i,
  },
  {
    en: 'fingerprint',
    fr: 'empreinte',
    meaning: 'A cryptographic digest, as people are told of it.',
    where: /\bfingerprints?\b(?!\})/i,
    said: /empreinte|\{fingerprint\}/i,
  },
  {
    en: 'deposit',
    fr: 'dépôt',
    meaning: 'A document whose fingerprint was dated here.',
    where: /\bdeposits?\b/i,
    unless: /kind of deposit|deposit\.json/i,
    said: /dépôt|dépos/i,
  },
  {
    en: 'capture',
    fr: 'capture, capturer',
    meaning: 'What our browser does with a page, and what comes of it.',
    where: /\bcaptures?\b/i,
    unless: /^capture again$/i,
    said: /captur/i,
  },
  {
    en: 'live (session)',
    fr: 'en direct, direct',
    meaning: 'A page that a visitor steers in our browser while it is recorded.',
    where: /\blive sessions?\b/i,
    said: /\bdirect/i,
  },
  {
    en: 'trash',
    fr: 'corbeille',
    meaning: 'What its owner put aside; it goes after thirty days.',
    where: /\btrash\b/i,
    said: /corbeille/i,
  },
  {
    en: 'email address',
    fr: 'adresse e-mail',
    meaning: 'Never “courriel”.',
    where: /\be-?mail address(?:es)?\b/i,
    said: /e-mail|adresse/i,
    never: /courriel/i,
  },
  {
    en: 'Unknown middleware',
    fr: 'Contrôle d’accès inconnu',
    meaning: 'X-18: a page or call that asks for a guard that does not exist.',
    where: /\bmiddleware\b/i,
    said: /contrôle d’accès inconnu/i,
    never: /middleware/i,
  },
]

export const glossaryDocument = fileURLToPath(new URL('../docs/GLOSSARY.md', import.meta.url))

export function writeGlossary(): string {
  const rows = terms.map(({ en, fr, meaning }) => `| ${en} | ${fr} | ${meaning} |`)
  return `# Glossary

One thing has one word in each language. Every catalogue of messages is held to it (\`tools/glossary.test.ts\`).
This list is written by \`npm run documents\`.

| English | French | What it is |
|---|---|---|
${rows.join('\n')}
`
}

/** What a sealed file is of; the format's list (docs/package-format.md), shared by the witness, the seal and the verifier. */
export const pieceRoles = [
  'viewport_screenshot',
  'full_page_screenshot',
  'page_pdf',
  'mhtml',
  'dom',
  'source',
  'har',
  'console',
  'wacz',
  'pcap',
  'tls_keys',
  'certificates',
  'dns',
  'environment',
  'checklist',
  'action_log',
  'network_log',
  'clock',
] as const
export type PieceRole = (typeof pieceRoles)[number]

type Chunk = { file: string; css?: readonly string[]; imports?: readonly string[] }
export function filesOf(manifest: Readonly<Record<string, Chunk>>, source: string): { css: string[]; scripts: string[] }
export function writePublicPages(): void

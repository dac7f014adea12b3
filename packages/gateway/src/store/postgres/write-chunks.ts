import type { Chunk } from '../audit-log/chunk.ts'

/** No text has it. */
const BETWEEN_CHUNKS = '\u001d'

/** Chunks as the functions of migration 8 take them. The rows come apart from the rest: as JSON they would be longer. */
export function writeChunks(chunks: readonly Chunk[]): [about: string, texts: string] {
  const about = chunks.map(({ rows: _, ...rest }) => rest)
  return [JSON.stringify(about), chunks.map(({ rows }) => rows).join(BETWEEN_CHUNKS)]
}

import { HINTS } from '@hintgate/metadata'
import type { VersionDiff } from './compare-versions.ts'

/** What the first step of a path is called at a glance; other fields go by their own names. */
const AREAS: Readonly<Record<string, string>> = {
  title: 'text',
  description: 'text',
  text: 'text',
  inputSchema: 'schema',
  outputSchema: 'output schema',
  '': 'everything',
}

/** At a glance: `▼ destructiveHint`, `text`, `schema`. The hints come first, loosened before tightened. */
export function summariseChange({ hints, texts, fields }: VersionDiff): readonly string[] {
  const loosened = hints.filter(({ direction }) => direction === 'loosened')
  const tightened = hints.filter(({ direction }) => direction === 'tightened')
  const areas = [...texts, ...fields].map(({ path }) => areaOf(path))
  return [
    ...loosened.map(({ hint }) => `▼ ${HINTS[hint].wire}`),
    ...tightened.map(({ hint }) => `▲ ${HINTS[hint].wire}`),
    ...new Set(areas),
  ]
}

/** The first step of a path: a plain key, or one in brackets and quotation marks. */
const STEP = /^(?:\["(?:[^"\\]|\\.)*"\]|[^.[]*)/

function areaOf(path: string): string {
  const [first = ''] = STEP.exec(path) ?? []
  return Object.hasOwn(AREAS, first) ? (AREAS[first] ?? first) : first
}

/** A text in a definition, and its JSON pointer. */
export interface PlacedText {
  readonly pointer: string
  readonly text: string
}

/** Fields whose text models read. */
const READ = new Set(['title', 'description', 'text', 'instructions'])
const MOST = 200
const DEEPEST = 12

/**
 * Returns the texts in a definition that a model would read, and all texts that have findings.
 *
 * @example
 * readTexts({ name: 'x', description: 'Reads.' }, []) // [{ pointer: '/description', text: 'Reads.' }]
 */
export function readTexts(definition: object, wanted: readonly string[]): readonly PlacedText[] {
  const found = new Map<string, string>()
  walk(definition, '', 0, found)
  for (const pointer of wanted) if (!found.has(pointer)) found.set(pointer, textAt(definition, pointer))
  return [...found].map(([pointer, text]) => ({ pointer, text }))
}

function walk(value: unknown, pointer: string, depth: number, found: Map<string, string>): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return
  for (const [key, each] of Object.entries(value)) {
    if (found.size >= MOST) return
    const pointerOfKey = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (typeof each === 'string' && READ.has(key)) found.set(pointerOfKey, each)
    else walk(each, pointerOfKey, depth + 1, found)
  }
}

/**
 * Returns the text at a pointer. If there is none, the finding is about a property's name, so the last name in the
 * pointer is returned.
 */
function textAt(definition: object, pointer: string): string {
  const keys = pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  let value: unknown = definition
  for (const key of keys)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined
  return typeof value === 'string' ? value : (keys.at(-1) ?? '')
}

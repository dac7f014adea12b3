import type { Meter } from './meter.ts'

const listed = new WeakMap<object, readonly string[]>()

/**
 * Every text in a value, however deep: a rule on any argument should not be passed by putting it one level lower. Keys
 * are not among them.
 */
export function listTexts(value: unknown, meter: Meter): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const known = listed.get(value)
  if (known !== undefined) return known
  meter.spend(meter.weight)
  const texts: string[] = []
  collect(value, texts)
  listed.set(value, texts)
  return texts
}

/** Arguments were bounded in depth when they came. */
function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const item of value) collect(item, texts)
  else if (value instanceof Map) for (const item of value.values()) collect(item, texts)
}

import type { Page } from '../kept/page-result.ts'

type Container = Record<string, unknown>

/**
 * Reassembles a result from its pages in the way that a reader would: it starts with the outline, and puts each part at
 * the position that its pointer gives.
 */
export function reassemble(pages: readonly Page[]): unknown {
  const values = new Map<string, unknown>()
  for (const page of pages) values.set(page.part, extend(values.get(page.part), page))
  const holder: Container = {}
  for (const [part, value] of values) place(holder, part, value)
  return holder.result
}

function extend(before: unknown, { unit, text, items, members, block }: Page): unknown {
  switch (unit) {
    case 'chars':
      return `${(before ?? '') as string}${text}`
    case 'items':
      return [...((before ?? []) as unknown[]), ...(items as unknown[])]
    case 'members':
      return { ...(before as object | undefined), ...(members as object) }
    case 'block':
      return block
  }
}

function place(holder: Container, part: string, value: unknown): void {
  const keys = ['result', ...part.split('/').slice(1)].map(key =>
    key.replaceAll('~1', '/').replaceAll('~0', '~'),
  )
  const last = keys.pop() ?? ''
  const parent = keys.reduce((at, key) => {
    if (!Object.hasOwn(at, key)) throw new Error(`${part} has no parent yet`)
    return at[key] as Container
  }, holder)
  if (part !== '' && parent[last] !== null) throw new Error(`${part} is not cut from the page it belongs to`)
  Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * Returns the item before or after the current one. At either end of the list, returns the current item.
 *
 * @example
 * neighbourOf([{ id: 'a' }, { id: 'b' }], 'a', 1) // { id: 'b' }
 */
export function neighbourOf<T extends { readonly id: string }>(
  items: readonly T[],
  id: string | undefined,
  step: 1 | -1,
): T | undefined {
  const at = items.findIndex(item => item.id === id)
  return items[Math.min(items.length - 1, Math.max(0, at + step))]
}

const LONGEST = 64

/** What nearly every client says of itself. */
interface Info {
  readonly name?: unknown
  readonly title?: unknown
  readonly version?: unknown
}

/**
 * What a client says of itself is the same in call after call: what some rules have read last, and found harmless, they
 * need not read again. Only a short name, title and version are remembered.
 */
export class KnownClients<Rules extends object> {
  readonly #harmless = new WeakMap<Rules, Info>()

  has(rules: Rules, info: unknown): boolean {
    const known = this.#harmless.get(rules)
    return known !== undefined && (known === info || (isInfo(info) && isSame(known, info)))
  }

  add(rules: Rules, info: unknown): void {
    if (isInfo(info) && isShort(info)) this.#harmless.set(rules, info)
  }
}

function isInfo(value: unknown): value is Info {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isShort(info: Info): boolean {
  const isText = (text: unknown): boolean => typeof text === 'string' && text.length <= LONGEST
  return hasNothingElse(info) && Object.values(info).every(isText)
}

/** Only texts are among what is known, so that nothing below them has to be compared. */
function isSame(known: Info, info: Info): boolean {
  const isEqual = known.name === info.name && known.version === info.version && known.title === info.title
  return isEqual && hasNothingElse(info)
}

function hasNothingElse(info: Info): boolean {
  for (const key in info) if (key !== 'name' && key !== 'version' && key !== 'title') return false
  return true
}

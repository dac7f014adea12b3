import { type DefinitionDiff, diffDefinitions, showUntrusted, type ToolDefinition } from '@hintgate/metadata'

/** How a definition is other than what the session began with. */
export type Change =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly diff: DefinitionDiff; readonly before: ToolDefinition }

interface Pin {
  readonly fingerprints: Set<string>
  /** What was accepted last: what people know. */
  last: ToolDefinition
}

/**
 * What the definitions of one server were when they were accepted. All of the first list are; from then on a definition
 * is accepted if it returns to one of its accepted forms or only tightened its hints. Anything else waits for a yes.
 */
export class Pins {
  readonly #pins = new Map<string, Pin>()
  #hasBegun = false

  /** The first list is complete; whatever comes now is news. */
  begin(): void {
    this.#hasBegun = true
  }

  /** Undefined for what is accepted. */
  judge(definition: ToolDefinition, fingerprint: string): Change | undefined {
    const pin = this.#pins.get(definition.name)
    if (pin === undefined && this.#hasBegun) return { kind: 'new' }
    if (pin !== undefined && !pin.fingerprints.has(fingerprint)) {
      const diff = diffDefinitions(pin.last, definition)
      if (diff.verdict !== 'tightened') return { kind: 'changed', diff, before: pin.last }
    }
    this.accept(definition, fingerprint)
    return undefined
  }

  accept(definition: ToolDefinition, fingerprint: string): void {
    const pin = this.#pins.get(definition.name)
    if (pin === undefined) {
      this.#pins.set(definition.name, { fingerprints: new Set([fingerprint]), last: definition })
      return
    }
    pin.fingerprints.add(fingerprint)
    pin.last = definition
  }
}

const MOST = 5

/** In one line, for the person who is asked. Paths are the server's words. */
export function describeChange(change: Change): string {
  if (change.kind === 'new') return 'it was not there when the session began'
  const { changes, hints } = change.diff
  const loosened = hints.filter(({ direction }) => direction === 'loosened').map(({ hint }) => hint)
  const paths = changes.slice(0, MOST).map(({ path, kind }) => `${showUntrusted(path, 80)} ${kind}`)
  const more = changes.length > MOST ? [`${changes.length - MOST} more`] : []
  const looser = loosened.length === 0 ? [] : [`hints loosened: ${loosened.join(', ')}`]
  return `its definition changed in the middle of the session: ${[...paths, ...more, ...looser].join('; ')}`
}

import { type DefinitionDiff, diffDefinitions, showUntrusted, type ToolDefinition } from '@hintgate/metadata'

/** How a definition differs from the accepted one. */
export type Change =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly diff: DefinitionDiff; readonly before: ToolDefinition }

interface Pin {
  readonly fingerprints: Set<string>
  /** The definition that was accepted last. */
  last: ToolDefinition
}

/**
 * The accepted definitions of one server. All definitions of the first list are accepted. Later, a definition is
 * accepted if it is the same as an accepted one or only tightens hints. Any other change waits for approval.
 */
export class Pins {
  readonly #pins = new Map<string, Pin>()
  #hasBegun = false

  /** Ends the first list. Tools that appear later are new. */
  begin(): void {
    this.#hasBegun = true
  }

  /** Returns how a definition has changed, or undefined if it is accepted. */
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

/**
 * Describes a change in one line, for the person who is asked. Paths come from the server, so they are shown as
 * untrusted text.
 */
export function describeChange(change: Change): string {
  if (change.kind === 'new') return 'The tool was added during the session.'
  const { changes, hints } = change.diff
  const loosened = hints.filter(({ direction }) => direction === 'loosened').map(({ hint }) => hint)
  const paths = changes.slice(0, MOST).map(({ path, kind }) => `${showUntrusted(path, 80)} ${kind}`)
  const more = changes.length > MOST ? [`${changes.length - MOST} more`] : []
  const looser = loosened.length === 0 ? [] : [`hints loosened: ${loosened.join(', ')}`]
  return `The definition changed during the session: ${[...paths, ...more, ...looser].join('; ')}.`
}

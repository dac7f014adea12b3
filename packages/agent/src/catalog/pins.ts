import { type DefinitionDiff, diffDefinitions, showUntrusted, type ToolDefinition } from '@hintgate/metadata'

/** The difference between a definition and the accepted one. */
export type Change =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly diff: DefinitionDiff; readonly before: ToolDefinition }

interface Pin {
  readonly fingerprints: Set<string>
  /** The version of the definition that was accepted last. */
  last: ToolDefinition
}

/**
 * The accepted definitions of one server. The first list is accepted as a whole. After that, a definition is accepted
 * if it equals an accepted one or only tightens hints. Any other change must be approved.
 */
export class Pins {
  readonly #pins = new Map<string, Pin>()
  #hasBegun = false

  /** Called when the first list has been read. Tools that appear later count as new. */
  begin(): void {
    this.#hasBegun = true
  }

  /** Returns how a definition differs from the accepted one, or undefined if the definition is accepted. */
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
 * Describes a change in one line for the person who is asked about it. Paths come from the server, so they are shown as
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

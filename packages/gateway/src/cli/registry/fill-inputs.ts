import type { Piece } from '../../client-configs/read-server.ts'
import type { Argument, Input } from './entry.ts'

/** A value that an entry needs from its user. */
export interface MissingInput {
  readonly name: string
  readonly description: string | undefined
  readonly isSecret: boolean
}

/** A part of a filled-in value. Secrets are kept apart, so that they never get into the config. */
export type FilledPiece = Piece | { readonly kind: 'secret'; readonly label: string; readonly text: string }

/** Matches references in the syntax of Hintgate's config. Those that the user typed stay references. */
const OURS = /(\$\{(?:env|file):[^}]*\})/

/**
 * Fills in the inputs of an entry with the user's values and the entry's defaults. Collects what is missing or not
 * allowed, so that one run reports everything.
 */
export class InputFiller {
  readonly missing: MissingInput[] = []
  readonly problems: string[] = []
  readonly #given: ReadonlyMap<string, readonly string[]>
  readonly #used = new Set<string>()

  constructor(given: ReadonlyMap<string, readonly string[]>) {
    this.#given = given
  }

  /** Names that the user gave a value for, although the entry does not ask for them. */
  get unused(): readonly string[] {
    return [...this.#given.keys()].filter(name => !this.#used.has(name))
  }

  /** Returns undefined for an optional input without a value. */
  fill(name: string, input: Input): readonly FilledPiece[] | undefined {
    return this.fillAll(name, input)[0]
  }

  /** Returns one value for each time that the user gave the input. */
  fillAll(name: string, input: Input): readonly (readonly FilledPiece[])[] {
    const values = this.#readAll(name, input)
    for (const value of values) this.#refuseReferences(name, value)
    return values
  }

  #readAll(name: string, input: Input): readonly (readonly FilledPiece[])[] {
    if (input.value !== undefined) return [this.#fillVariables(input.value, input)]
    const given = this.#take(name)
    if (given.length > 0) return given.map(text => this.#readGiven(name, text, input))
    if (input.default !== undefined) return [[{ kind: 'text', text: input.default }]]
    if (input.isRequired) this.#miss(name, input)
    return []
  }

  #fillVariables(value: string, { variables = {} }: Input): readonly FilledPiece[] {
    return value
      .split(/(\{[^{}]*\})/)
      .filter(part => part !== '')
      .flatMap((part): readonly FilledPiece[] => {
        const name = /^\{(.*)\}$/.exec(part)?.[1]
        const variable = name === undefined || !Object.hasOwn(variables, name) ? undefined : variables[name]
        return variable === undefined
          ? [{ kind: 'text', text: part }]
          : (this.fill(String(name), { ...variable, isRequired: true }) ?? [])
      })
  }

  #take(name: string): readonly string[] {
    const given = this.#given.get(name) ?? []
    if (given.length > 0) this.#used.add(name)
    return given
  }

  #readGiven(name: string, text: string, { isSecret, choices }: Input): readonly FilledPiece[] {
    if (choices !== undefined && choices.length > 0 && !choices.includes(text))
      this.problems.push(`${name}: use one of ${choices.join(', ')}`)
    return text
      .split(OURS)
      .filter(part => part !== '')
      .map(part => {
        if (OURS.test(part)) return { kind: 'ours', text: part }
        return isSecret === true ? { kind: 'secret', label: name, text: part } : { kind: 'text', text: part }
      })
  }

  /**
   * The entry's author must not be able to read variables or files of this machine through a reference, not even through
   * one whose parts stand in several values.
   */
  #refuseReferences(name: string, value: readonly FilledPiece[]): void {
    const text = value.map(piece => (piece.kind === 'text' ? piece.text : '')).join('')
    if (text.includes('${')) this.problems.push(`${name}: the value refers to this machine: ${text}`)
  }

  #miss(name: string, { description, isSecret }: Input): void {
    if (!this.missing.some(missing => missing.name === name))
      this.missing.push({ name, description, isSecret: isSecret ?? false })
  }
}

/** The name by which a user sets an argument: `--port` is set with `port=…`. */
export function nameOfArgument({ name, valueHint, value }: Argument): string {
  return (name ?? valueHint ?? value ?? 'argument').replace(/^-+/, '')
}

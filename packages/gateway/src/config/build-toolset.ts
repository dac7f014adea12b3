import { createHash } from 'node:crypto'
import { HINTS, type HintName, type HintValues } from '@hintgate/metadata'
import type { Json } from '../protocol/messages.ts'
import { writeSorted } from '../protocol/parse-json.ts'
import { defined } from './schema/defined.ts'
import type { ToolsetInput } from './schema/toolset-schema.ts'

/** Which tools an entry of `select` matches. All its conditions must hold. */
export interface Selection {
  readonly tools?: readonly string[]
  readonly servers?: readonly string[]
  readonly hints?: HintValues
  readonly domains?: readonly string[]
  readonly tags?: readonly string[]
}

/** How a toolset presents one tool. */
export interface Presentation {
  readonly name?: string
  readonly title?: string
  readonly description?: string
  readonly hints: HintValues
  readonly isVouched: boolean
  readonly arguments: Json
  readonly hidden: readonly string[]
  readonly keep?: readonly string[]
  readonly query?: string
  readonly answerChars?: number
  readonly author: string
  /** The fingerprint of the definition that the override was written for. */
  readonly writtenFor?: string
  /** The SHA-256 of everything above but the author. */
  readonly fingerprint: string
}

export interface ToolsetConfig {
  readonly name: string
  readonly title?: string
  readonly instructions?: string
  readonly surface: 'direct' | 'search'
  readonly select: readonly Selection[]
  readonly except: readonly string[]
  /** The servers whose resources, prompts and completions the set offers. */
  readonly resources: readonly string[]
  readonly answerChars?: number
  /** The values that the entry takes from `${env:…}` and `${file:…}`. They are not shown. */
  readonly confided?: readonly string[]
  /** By the tool's id, `server:tool`. */
  readonly overrides: Readonly<Record<string, Presentation>>
}

type Whole = Exclude<ToolsetInput, readonly unknown[]>
type Choice = Exclude<Whole['select'], readonly unknown[]> | string

export function buildToolset([name, input]: [string, ToolsetInput]): ToolsetConfig {
  const given: Whole = Array.isArray(input) ? { select: input } : input
  const {
    title,
    instructions,
    surface = 'direct',
    select,
    except = [],
    resources = [],
    answer,
    overrides = {},
  } = given
  return {
    name,
    surface,
    select: (Array.isArray(select) ? select : [select]).map(choice => buildSelection(choice)),
    except,
    resources,
    overrides: Object.fromEntries(
      Object.entries(overrides).map(([id, override]) => [id, buildPresentation(override)]),
    ),
    ...defined({ title, instructions, answerChars: answer }),
  }
}

function buildSelection(choice: Choice): Selection {
  if (typeof choice === 'string') return { tools: [choice] }
  const { hints, ...rest } = choice
  return { ...defined(rest), ...(hints && { hints: readHints(hints) }) }
}

function buildPresentation({
  hints = {},
  vouched = false,
  arguments: fixed = {},
  hidden = [],
  answer,
  author = 'config',
  fingerprint: writtenFor,
  ...rest
}: NonNullable<Whole['overrides']>[string]): Presentation {
  const shown = {
    ...defined({ ...rest, answerChars: answer, writtenFor }),
    hints: readHints(hints),
    isVouched: vouched,
    arguments: fixed as Json,
    hidden,
  }
  const fingerprint = createHash('sha256').update(writeSorted(shown)).digest('hex')
  return { ...shown, author, fingerprint }
}

/** Returns the hints of an entry by Hintgate's names. In the config they have the names of the protocol. */
export function readHints(wire: Readonly<Record<string, boolean | undefined>>): HintValues {
  const names = Object.keys(HINTS) as HintName[]
  const given = names.filter(name => wire[HINTS[name].wire] !== undefined)
  return Object.fromEntries(given.map(name => [name, wire[HINTS[name].wire]]))
}

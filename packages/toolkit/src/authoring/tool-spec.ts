import type { Behavior, Category, HintValues, Operation, Preset, ServiceDomain } from '@hintgate/metadata'
import type { Icon } from '@modelcontextprotocol/server'
import type { Context } from '../call/context.ts'
import type { ToolResult } from '../call/results.ts'
import type { ArgumentsOf, Input } from '../input/input.ts'

type Answer = ToolResult | Promise<ToolResult>

/** Hints under the specification's names. */
export interface Annotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** The effects of one call, for a tool whose effects depend on its arguments. */
export interface Effects extends HintValues {
  readonly operations?: readonly Operation[]
}

/** An argument of the tool that makes a call a dry run. */
export interface DryRun {
  readonly argument: string
  /** The value of the argument. Default: `true`. */
  readonly value?: unknown
}

/** The fields of a tool, without its hints. */
export interface ToolSpec<Env, I extends Input, O extends Input> {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** A shape such as `{ id: z.string() }`, or any Standard Schema. */
  readonly input?: I
  /** The schema of `structuredContent`. */
  readonly output?: O
  /** The template of a sentence for activity feeds, such as `Deleted contact {id}`. */
  readonly action?: string
  readonly tags?: readonly string[]
  /** Any JSON that the author's own systems need. */
  readonly extras?: Readonly<Record<string, unknown>>
  readonly icons?: readonly Icon[]
  /** The author's own `_meta`. Keys under `io.hintgate/` are reserved. */
  readonly _meta?: Readonly<Record<string, unknown>>
  execute(ctx: Context<Env>, args: ArgumentsOf<I>): Answer
  /**
   * Shows what a call would do. A function becomes the read-only tool `preview_NAME`; `{ argument }` names an argument of
   * this tool that makes `execute` a dry run.
   */
  readonly preview?: DryRun | ((ctx: Context<Env>, args: ArgumentsOf<I>) => Answer)
  /** Returns the effects of one call, which can be less or more than the hints declare. */
  effects?(args: ArgumentsOf<I>): Effects
}

/** The hints of a tool, in any of these forms. Later fields override earlier ones. */
export interface Claims<
  P extends Preset = Preset,
  C extends Category = Category,
  A extends Annotations = Annotations,
  B extends Behavior = Behavior,
  S extends boolean = boolean,
  D extends readonly ServiceDomain[] = readonly ServiceDomain[],
> {
  /** A kind of tool, such as `send-message` or `search`. */
  readonly preset?: P
  /** `read`, `write` or `delete`. */
  readonly category?: C
  readonly annotations?: A
  readonly behavior?: B
  /** `false` allows contradictions; they are reported as warnings. */
  readonly strict?: S
  /** The tool's own service domains, if they differ from the toolkit's. An empty list means that there are none. */
  readonly serviceDomains?: D
}

type Untyped = Omit<ToolSpec<unknown, Input, Input>, 'execute' | 'preview' | 'effects'>

/** A tool without its type parameters. */
export interface AnyTool extends Untyped, Claims {
  execute(ctx: never, args: never): Answer
  readonly preview?: DryRun | ((ctx: never, args: never) => Answer)
  effects?(args: never): Effects
}

import type { Behavior, Category, HintValues, Operation, Preset, ServiceDomain } from '@hintgate/metadata'
import type { Icon } from '@modelcontextprotocol/server'
import type { Context } from '../call/context.ts'
import type { ToolResult } from '../call/results.ts'
import type { ArgumentsOf, Input } from '../input/input.ts'

type Answer = ToolResult | Promise<ToolResult>

/** Hints, with the names that the specification uses. */
export interface Annotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** The effects of one particular call, for a tool whose effects depend on the arguments. */
export interface Effects extends HintValues {
  readonly operations?: readonly Operation[]
}

/** The argument that makes a call to this tool a dry run. */
export interface DryRun {
  readonly argument: string
  /** The value of the argument. Default: `true`. */
  readonly value?: unknown
}

/** Everything about a tool except its hints. */
export interface ToolSpec<Env, I extends Input, O extends Input> {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** The arguments: a shape such as `{ id: z.string() }`, or any Standard Schema. */
  readonly input?: I
  /** The schema of `structuredContent`. */
  readonly output?: O
  /** Template for a sentence in activity feeds, such as `Deleted contact {id}`. */
  readonly action?: string
  readonly tags?: readonly string[]
  /** Any JSON that the author's own systems need. */
  readonly extras?: Readonly<Record<string, unknown>>
  readonly icons?: readonly Icon[]
  /** The author's own `_meta`. Keys under `io.hintgate/` are reserved. */
  readonly _meta?: Readonly<Record<string, unknown>>
  execute(ctx: Context<Env>, args: ArgumentsOf<I>): Answer
  /**
   * Shows what a call would do. A function becomes the read-only tool `preview_NAME`. `{ argument }` names the argument
   * that makes `execute` a dry run.
   */
  readonly preview?: DryRun | ((ctx: Context<Env>, args: ArgumentsOf<I>) => Answer)
  /** Returns what one particular call does, which can be less or more than the hints declare. */
  effects?(args: ArgumentsOf<I>): Effects
}

/** A tool's hints, which can be given in any of these forms. Later fields override earlier ones. */
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
  /** `false` reports contradictions as warnings instead of errors. */
  readonly strict?: S
  /** The tool's own service domains, if they differ from the toolkit's. An empty list means that there are none. */
  readonly serviceDomains?: D
}

type Untyped = Omit<ToolSpec<unknown, Input, Input>, 'execute' | 'preview' | 'effects'>

/** A tool with any type parameters. */
export interface AnyTool extends Untyped, Claims {
  execute(ctx: never, args: never): Answer
  readonly preview?: DryRun | ((ctx: never, args: never) => Answer)
  effects?(args: never): Effects
}

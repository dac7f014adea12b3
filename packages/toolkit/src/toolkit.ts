import { randomBytes } from 'node:crypto'
import type { Behavior, Category, Preset, ProjectionOptions, ServiceDomain } from '@hintgate/metadata'
import type { McpServer } from '@modelcontextprotocol/server'
import type { Consistent } from './authoring/consistent.ts'
import { prepareTool } from './authoring/prepare-tool.ts'
import {
  type PromptSpec,
  preparePrompt,
  prepareResource,
  type ResourceSpec,
} from './authoring/resource-spec.ts'
import type { Annotations, AnyTool, Claims, ToolSpec } from './authoring/tool-spec.ts'
import { type Logger, logToStderr } from './call/log.ts'
import type { ArgumentsOf, Input, Nothing } from './input/input.ts'
import { readInput } from './input/read-input.ts'
import { createServer } from './mcp/create-server.ts'
import { type Mountable, type MountOptions, mountServer } from './mount/mount-server.ts'
import { describeDocument, type OpenApiOptions, readOpenApi } from './openapi/read-open-api.ts'
import { type ServeOptions, type Serving, serve } from './serve/serve.ts'
import type { PromptEntry, ResourceEntry, ToolEntry } from './start/entries.ts'
import type { Home } from './start/home.ts'
import { describeParts, type Manifest } from './start/manifest.ts'
import type { Environment } from './start/read-env.ts'
import { findProblems, makeReady, type Offer, type Parts, type Ready, refuseErrors } from './start/ready.ts'
import type { ToolkitFinding } from './start/toolkit-error.ts'

export interface ToolkitOptions<E extends Input, D extends readonly ServiceDomain[]> {
  readonly name: string
  readonly version: string
  readonly title?: string
  /** Information that a model needs before it uses the tools. */
  readonly instructions?: string
  /** The kinds of service that the tools use. Optional. */
  readonly serviceDomains?: D
  /** The environment variables that the tools need. `ctx.env` has their checked values. */
  readonly env?: E
  /** Makes an undeclared flag an error. */
  readonly production?: boolean
  /** Options for sending metadata; see `projectMetadata`. */
  readonly projection?: ProjectionOptions
  /** Called with log lines. Default: writes them to standard error. */
  readonly log?: Logger
  /**
   * A key of at least 32 bytes that signs the state that clients keep. All replicas need the same key. Default: a
   * random key.
   */
  readonly stateKey?: Uint8Array | string
}

/**
 * A set of tools with their metadata, served as one MCP server.
 *
 * @example
 * const clock = new Toolkit({ name: 'clock', version: '1.0.0' }).tool({
 *   name: 'get_time',
 *   description: 'Tells the time.',
 *   preset: 'read-query',
 *   execute: ctx => ctx.text(new Date().toISOString()),
 * })
 * await clock.serve()
 */
export class Toolkit<
  const E extends Input = Nothing,
  const D extends readonly ServiceDomain[] = readonly [],
> {
  readonly #home: Home
  readonly #info: Parts['info']
  readonly #instructions: string | undefined
  readonly #stateKey: Uint8Array | string
  readonly #tools: ToolEntry[] = []
  readonly #resources: ResourceEntry[] = []
  readonly #prompts: PromptEntry[] = []
  readonly #findings: ToolkitFinding[] = []
  readonly #mounted: { close(): Promise<void> }[] = []
  #ready: Ready | undefined

  constructor(options: ToolkitOptions<E, D>) {
    const { name, version, title } = options
    this.#info = { name, version, ...(title === undefined ? {} : { title }) }
    this.#instructions = options.instructions
    this.#stateKey = options.stateKey ?? randomBytes(32)
    this.#home = {
      name,
      serviceDomains: options.serviceDomains ?? [],
      production: options.production ?? false,
      projection: options.projection ?? {},
      env: options.env === undefined ? undefined : readInput(options.env),
      log: options.log ?? logToStderr,
    }
  }

  /** Creates a toolkit from the operations in an OpenAPI document. Unless a name is given, the document's is used. */
  static fromOpenAPI(
    document: unknown,
    {
      name,
      version,
      ...options
    }: OpenApiOptions & { readonly name?: string; readonly version?: string } = {},
  ): Toolkit {
    const titled = describeDocument(document)
    const toolkit = new Toolkit({ name: name ?? titled.name, version: version ?? titled.version })
    return toolkit.fromOpenAPI(document, options)
  }

  /** Adds a tool. Problems with the tool are reported at start-up, together with all others. */
  tool<
    const I extends Input = Nothing,
    const O extends Input = Nothing,
    const P extends Preset = never,
    const C extends Category = never,
    const A extends Annotations = Nothing,
    const B extends Behavior = Nothing,
    const S extends boolean = true,
    const TD extends readonly ServiceDomain[] = D,
  >(
    tool: ToolSpec<ArgumentsOf<E>, I, O> &
      Claims<P, C, A, B, S, TD> &
      Consistent<{ preset: P; category: C; annotations: A; behavior: B; strict: S; domains: TD }>,
  ): this {
    return this.#addTool(tool)
  }

  #addTool(tool: AnyTool): this {
    const { entries, findings } = prepareTool(tool, this.#home)
    this.#tools.push(...entries)
    this.#findings.push(...findings)
    this.#ready = undefined
    return this
  }

  resource(resource: ResourceSpec<ArgumentsOf<E>>): this {
    this.#resources.push(prepareResource(resource, this.#home))
    this.#ready = undefined
    return this
  }

  prompt<const I extends Input = Nothing>(prompt: PromptSpec<ArgumentsOf<E>, I>): this {
    this.#prompts.push(preparePrompt(prompt, this.#home))
    this.#ready = undefined
    return this
  }

  /**
   * Includes everything that has been added to another toolkit. The included tools keep their own service domains and
   * environment.
   */
  extend(other: { readonly parts: Parts }): this {
    return this.#take(other.parts)
  }

  #take({ tools, resources, prompts, findings, mounted }: Offer): this {
    this.#tools.push(...tools)
    this.#resources.push(...resources)
    this.#prompts.push(...prompts)
    this.#findings.push(...findings)
    this.#mounted.push(...mounted)
    this.#ready = undefined
    return this
  }

  /** Includes another server's tools, resources and prompts, and applies metadata to them. */
  async mount(server: Mountable, options: MountOptions = {}): Promise<this> {
    return this.#take(await mountServer(server, options, this.#home))
  }

  /** Adds a tool for every operation in an OpenAPI document. */
  fromOpenAPI(document: unknown, options: OpenApiOptions = {}): this {
    const { tools, findings } = readOpenApi(document, options)
    this.#findings.push(...findings)
    for (const tool of tools) this.#addTool(tool)
    return this
  }

  /** Everything that has been added so far. */
  get parts(): Parts {
    return {
      home: this.#home,
      info: this.#info,
      instructions: this.#instructions,
      stateKey: this.#stateKey,
      tools: [...this.#tools],
      resources: [...this.#resources],
      prompts: [...this.#prompts],
      findings: [...this.#findings],
      mounted: [...this.#mounted],
    }
  }

  /** All errors and warnings, with codes from the vocabulary. Only errors prevent the toolkit from starting. */
  get findings(): readonly ToolkitFinding[] {
    return findProblems(this.parts)
  }

  /**
   * Returns everything that the server offers, as JSON. If there are errors, throws a `ToolkitError` with all of them.
   */
  manifest(): Manifest {
    const { parts } = this
    refuseErrors(parts, findProblems(parts))
    return describeParts(parts)
  }

  /**
   * Checks everything. Uses the environment of this process unless another is given. If there are errors, throws a
   * `ToolkitError` with all of them.
   */
  start(environment?: Environment): Ready {
    if (environment !== undefined) return makeReady(this.parts, environment)
    this.#ready ??= makeReady(this.parts, process.env)
    return this.#ready
  }

  /** Creates a server of the official SDK, with all tools, resources and prompts registered. */
  toMcpServer(): McpServer {
    return createServer(this.start())
  }

  /** Serves both eras of MCP over stdio or HTTP; arguments and environment variables decide which. */
  serve(options: ServeOptions = {}): Promise<Serving> {
    const ready = this.start(options.env)
    const { log, name } = this.#home
    return serve(() => createServer(ready), { ...options, log, name, onClose: () => this.close() })
  }

  /** Closes the connections to mounted servers. `serve` calls this when it no longer serves. */
  async close(): Promise<void> {
    await Promise.all(this.#mounted.map(mounted => mounted.close()))
  }
}

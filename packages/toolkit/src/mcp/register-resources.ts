import { randomUUID } from 'node:crypto'
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { CallContext, type Context } from '../call/context.ts'
import type { LogLevel } from '../call/log.ts'
import { ToolFailure } from '../call/question.ts'
import type { Wire } from '../call/wire.ts'
import type { Input } from '../input/input.ts'
import { showIssues } from '../input/issues.ts'
import { readInput } from '../input/read-input.ts'
import type { PromptEntry, ResourceEntry } from '../start/entries.ts'
import type { Ready } from '../start/ready.ts'
import { SdkWire } from './sdk-wire.ts'
import { announceOnly } from './wire-schema.ts'

type Entry = ResourceEntry | PromptEntry

interface Served {
  readonly server: McpServer
  readonly ready: Ready
}

export function registerResources(served: Served): void {
  const { server, ready } = served
  for (const entry of ready.parts.resources) {
    const { name, uri, metadata, isTemplate } = entry
    if (isTemplate) {
      const template = new ResourceTemplate(uri, { list: undefined })
      server.registerResource(name, template, metadata, (at, variables, ctx) =>
        guard(entry, served, ctx, context => entry.read(context, at, variables)),
      )
    } else {
      server.registerResource(name, uri, metadata, (at, ctx) =>
        guard(entry, served, ctx, context => entry.read(context, at, {})),
      )
    }
  }
}

export function registerPrompts(served: Served): void {
  for (const entry of served.ready.parts.prompts) registerPrompt(entry, served)
}

function registerPrompt(entry: PromptEntry, served: Served): void {
  const { name, title, description, input } = entry
  const about = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  }
  const render = (args: unknown, ctx: ServerContext) =>
    guard(entry, served, ctx, context => entry.render(context, args as never))
  if (input === undefined) {
    served.server.registerPrompt(name, about, ctx => render({}, ctx))
  } else {
    served.server.registerPrompt(name, { ...about, argsSchema: promptSchema(input) }, (args, ctx) =>
      render(args, ctx),
    )
  }
}

/** A prompt has no error results, so invalid arguments become a protocol error. */
function promptSchema(input: Input): StandardSchemaWithJSON<unknown, unknown> {
  const checked = readInput(input)
  const announced = announceOnly(checked.jsonSchema)
  return {
    '~standard': {
      ...announced['~standard'],
      validate: async value => {
        const verdict = await checked.check(value ?? {})
        return verdict.issues
          ? { issues: [{ message: showIssues(verdict.issues) }] }
          : { value: verdict.value }
      },
    },
  }
}

/** Runs the author's code. If it fails, the details go to the log and the caller gets a reference to them. */
async function guard<T>(
  entry: Entry,
  { server, ready }: Served,
  ctx: ServerContext,
  work: (context: Context<unknown>) => Promise<T>,
): Promise<T> {
  const wire = new SdkWire(ctx, server, { logger: entry.name })
  const { home, name } = entry
  const write = (level: LogLevel, message: string, data?: unknown): void =>
    home.log({ time: new Date().toISOString(), level, server: home.name, tool: name, message, data })
  try {
    return await work(new CallContext({ env: ready.envOf.get(home), wire: withoutForms(wire), write }))
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (error instanceof ToolFailure) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
    const reference = randomUUID().slice(0, 8)
    write('error', 'failed', { reference, error: error instanceof Error ? error.stack : String(error) })
    const message = `${name} failed. Details are in the server log under ${reference}.`
    throw new ProtocolError(ProtocolErrorCode.InternalError, message)
  } finally {
    await wire.flush()
  }
}

/** Hides from the author's code that the client can show forms, because only tools can ask people. */
function withoutForms(wire: SdkWire): Wire {
  return {
    signal: wire.signal,
    get client() {
      const { elicitation: _, ...capabilities } = wire.client.capabilities
      return { ...wire.client, capabilities }
    },
    answers: wire.answers,
    progress: progress => wire.progress(progress),
    log: (level, message, data) => wire.log(level, message, data),
  }
}

import type { GetPromptResult, PromptMessage, ReadResourceResult } from '@modelcontextprotocol/server'
import type { Context } from '../call/context.ts'
import type { ArgumentsOf, Input } from '../input/input.ts'
import type { PromptEntry, ResourceEntry, Variables } from '../start/entries.ts'
import type { Home } from '../start/home.ts'

/** A resource's content: text, bytes, or any other value, which is sent as JSON. */
type Held = string | Uint8Array | object

export interface ResourceSpec<Env> {
  /** A URI such as `notes://all`, or a URI template with variables such as `notes://{id}`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  read(ctx: Context<Env>, variables: Variables, uri: URL): Held | Promise<Held>
}

export interface PromptSpec<Env, I extends Input> {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly input?: I
  /** Renders the prompt. A string becomes a message from the user. */
  render(
    ctx: Context<Env>,
    args: ArgumentsOf<I>,
  ): string | readonly PromptMessage[] | Promise<string | readonly PromptMessage[]>
}

type AnyResource = ResourceSpec<never>
type AnyPrompt = PromptSpec<never, Input>

export function prepareResource(resource: AnyResource, home: Home): ResourceEntry {
  const { uri, name, title, description, mimeType } = resource
  return {
    name,
    home,
    uri,
    isTemplate: uri.includes('{'),
    metadata: {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(mimeType === undefined ? {} : { mimeType }),
    },
    read: async (ctx, at, variables) =>
      toContents(await resource.read(ctx as never, variables, at), at, mimeType),
  }
}

function toContents(held: Held, { href: uri }: URL, mimeType: string | undefined): ReadResourceResult {
  if (held instanceof Uint8Array) {
    const blob = Buffer.from(held).toString('base64')
    return { contents: [{ uri, blob, mimeType: mimeType ?? 'application/octet-stream' }] }
  }
  if (typeof held === 'string') return { contents: [{ uri, text: held, mimeType: mimeType ?? 'text/plain' }] }
  return { contents: [{ uri, text: JSON.stringify(held), mimeType: mimeType ?? 'application/json' }] }
}

export function preparePrompt(prompt: AnyPrompt, home: Home): PromptEntry {
  const { name, title, description, input } = prompt
  return {
    name,
    home,
    title,
    description,
    input,
    render: async (ctx, args) => toMessages(await prompt.render(ctx as never, args)),
  }
}

function toMessages(rendered: string | readonly PromptMessage[]): GetPromptResult {
  if (typeof rendered !== 'string') return { messages: [...rendered] }
  return { messages: [{ role: 'user', content: { type: 'text', text: rendered } }] }
}

import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import * as mini from 'zod/mini'
import type { LogEntry } from '../index.ts'
import { Toolkit } from '../index.ts'

/** The examples in the documents from which the project started, written with the toolkit. */

/** Gram's `delete_user` and `get_weather`: zod/mini schemas, and hints under MCP's own names. */
export function createGram(users: Set<string>) {
  return new Toolkit({ name: 'gram', version: '1.0.0' })
    .tool({
      name: 'delete_user',
      description: 'Permanently delete a user account',
      input: { userId: mini.string() },
      annotations: {
        title: 'Delete User',
        destructiveHint: true,
        readOnlyHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      async execute(ctx, input) {
        users.delete(input.userId)
        return ctx.json({ deleted: true })
      },
    })
    .tool({
      name: 'get_weather',
      description: 'Get current weather for a city',
      input: { city: mini.string() },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
      async execute(ctx, input) {
        return ctx.json({ city: input.city, celsius: 21 })
      },
    })
}

export interface Message {
  readonly channel: string
  readonly message: string
}

/** Arcade's `send_slack_message`: three axes, an environment, strict validation. */
export function createSlack(sent: Message[]) {
  return new Toolkit({
    name: 'slack',
    version: '1.0.0',
    serviceDomains: ['messaging'],
    env: { SLACK_TOKEN: z.string().startsWith('xoxb-') },
    production: true,
  }).tool({
    name: 'send_slack_message',
    description: 'Send a message to a Slack channel.',
    input: {
      channel: z.string().describe('The channel to send the message to'),
      message: z.string().describe('The message text'),
    },
    behavior: {
      operations: ['create'],
      readOnly: false,
      destructive: false,
      idempotent: false,
      openWorld: true,
      egress: true,
      reversible: false,
    },
    action: 'Sent a message to {channel}',
    extras: { idp: 'entraID', requires_mfa: true },
    async execute(ctx, message) {
      if (!ctx.env.SLACK_TOKEN.startsWith('xoxb-')) throw new Error('no token')
      sent.push(message)
      return ctx.json({ ok: true })
    },
  })
}

export interface Database {
  readonly pending: readonly string[]
  readonly applied: string[]
}

/** The guide's migration tool: a dry run, progress, and cancellation. */
export function createMigrations(database: Database, log?: (entry: LogEntry) => void) {
  return new Toolkit({ name: 'migrations', version: '1.0.0', ...(log === undefined ? {} : { log }) }).tool({
    name: 'migrate_database',
    title: 'Run Database Migrations',
    description: 'Run all pending database migrations',
    input: { dryRun: z.boolean().default(false) },
    annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
    preview: { argument: 'dryRun' },
    effects: ({ dryRun }) => (dryRun ? { readOnly: true } : {}),
    async execute(ctx, { dryRun }) {
      const { pending, applied } = database
      for (const [i, name] of pending.entries()) {
        if (ctx.signal.aborted)
          return ctx.fail(`Migration cancelled by the client after ${i} of ${pending.length}.`)
        await ctx.progress(i, pending.length, `${dryRun ? '[DRY RUN] ' : ''}Running: ${name}`)
        if (!dryRun) {
          await pause(20)
          applied.push(name)
        }
      }
      return ctx.text(
        `${dryRun ? 'Dry run' : 'Migrations'} complete: ${pending.length} migrations processed.`,
      )
    },
  })
}

/** The guide's `search_files` and `delete_file`, with presets and a preview. */
export function createFiles(files: Map<string, string>) {
  return new Toolkit({ name: 'files', version: '1.0.0' })
    .tool({
      name: 'search_files',
      title: 'Search Files',
      description: 'Search for files matching a pattern',
      input: { pattern: z.string() },
      preset: 'search',
      execute: (ctx, { pattern }) =>
        ctx.text([...files.keys()].filter(path => path.includes(pattern)).join('\n')),
    })
    .tool({
      name: 'delete_file',
      title: 'Delete File',
      description: 'Permanently delete a file from the filesystem',
      input: { path: z.string() },
      preset: 'delete',
      action: 'Deleted {path}',
      execute(ctx, { path }) {
        if (!files.delete(path)) return ctx.fail(`File not found: ${path}.`)
        return ctx.text(`Deleted: ${path}`)
      },
      preview: (ctx, { path }) =>
        ctx.text(`Would delete ${path} (${files.get(path)?.length ?? 0} characters)`),
    })
}

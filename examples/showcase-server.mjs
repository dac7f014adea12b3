// All features of the toolkit in one server. The tests of the toolkit use it over every transport.
//   node examples/showcase-server.mjs [--http --port 3000]
import { setTimeout as pause } from 'node:timers/promises'
import { Toolkit } from '@hintgate/toolkit'
import * as z from 'zod'

const counts = { running: 0, cancelled: 0, finished: 0 }
const limits = { upload: 10 }
// A red pixel.
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const toolkit = new Toolkit({
  name: 'showcase',
  title: 'Showcase',
  version: '1.0.0',
  instructions: 'Ask for counts first.',
  env: { GREETING: z.string().default('Hello') },
})
  .tool({
    name: 'greet',
    title: 'Greet',
    description: 'Greets a person, with a text from the environment.',
    input: { name: z.string(), loudly: z.boolean().default(false) },
    output: { greeting: z.string() },
    preset: 'read-query',
    execute(ctx, { name, loudly }) {
      const greeting = `${ctx.env.GREETING}, ${name}${loudly ? '!' : '.'}`
      return ctx.json({ greeting })
    },
  })
  .tool({
    name: 'wait',
    title: 'Wait',
    description: 'Waits, reports its progress, and stops when the call is cancelled.',
    input: { steps: z.int().min(1).max(10_000), stepMs: z.int().min(0).max(1000).default(20) },
    preset: 'read-query',
    async execute(ctx, { steps, stepMs }) {
      counts.running += 1
      try {
        for (let step = 1; step <= steps; step++) {
          await pause(stepMs, undefined, { signal: ctx.signal })
          await ctx.progress(step, steps, `step ${step}`)
        }
        counts.finished += 1
        return ctx.text(`waited ${steps} steps`)
      } finally {
        counts.running -= 1
        if (ctx.signal.aborted) counts.cancelled += 1
      }
    },
  })
  .tool({
    name: 'get_counts',
    title: 'Get counts',
    description: 'How many waits run, were cancelled, and finished.',
    preset: 'read-query',
    execute: ctx => ctx.json(counts),
  })
  .tool({
    name: 'order_coffee',
    title: 'Order coffee',
    description: 'Asks for a size and a name before it orders.',
    preset: 'append',
    async execute(ctx) {
      const size = await ctx.elicit('Which size?', { size: z.enum(['small', 'large']) })
      if (size.action !== 'accept') return ctx.text(`no coffee: ${size.action}`)
      const name = await ctx.elicit('In whose name?', { name: z.string() })
      if (name.action !== 'accept') return ctx.text(`no name: ${name.action}`)
      return ctx.text(`a ${size.content.size} coffee for ${name.content.name}`)
    },
  })
  .tool({
    name: 'set_limit',
    title: 'Set limit',
    description: 'Sets the limit of uploads. Lifting it altogether cannot be taken back.',
    input: { limit: z.int().min(0).nullable() },
    behavior: {
      operations: ['update'],
      readOnly: false,
      destructive: false,
      idempotent: true,
      openWorld: false,
    },
    // Removing the limit is more than the tool declares, so the toolkit asks a person first.
    effects: ({ limit }) => (limit === null ? { destructive: true } : {}),
    action: 'Set the limit to {limit}',
    execute(ctx, { limit }) {
      limits.upload = limit
      return ctx.json(limits)
    },
    preview: (ctx, { limit }) =>
      ctx.text(`Would change the limit from ${limits.upload} to ${limit ?? 'none'}`),
  })
  .tool({
    name: 'explode',
    title: 'Explode',
    description: 'Always fails.',
    preset: 'read-query',
    execute() {
      throw new Error('the password of the database is hunter2')
    },
  })
  .tool({
    name: 'draw',
    title: 'Draw',
    description: 'Answers with a picture, markdown or HTML, and logs a line.',
    input: { as: z.enum(['image', 'markdown', 'html']) },
    preset: 'read-query',
    execute(ctx, { as }) {
      ctx.log.info('drawing', { as, client: ctx.client.name })
      // Standard output belongs to MCP: the toolkit sends this to standard error.
      console.log('drawing')
      if (as === 'image') return ctx.image(PIXEL, 'image/png')
      return as === 'markdown' ? ctx.markdown('**red**') : ctx.html('<b>red</b>')
    },
  })
  .resource({
    uri: 'showcase://limits',
    name: 'limits',
    description: 'The limits as they are now.',
    read: () => limits,
  })
  .resource({
    uri: 'showcase://limits/{name}',
    name: 'limit',
    read: (_ctx, { name }) => String(limits[String(name)]),
  })
  .prompt({
    name: 'review',
    description: 'Asks for a review.',
    input: { what: z.string() },
    render: (_ctx, { what }) => `Review ${what}, please.`,
  })

await toolkit.serve()

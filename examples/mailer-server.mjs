// A small MCP server that pretends to send mail: the outbox is in memory, and nothing leaves this machine.
//   node examples/mailer-server.mjs [--http --port 3000]
import { Toolkit } from '@hintgate/toolkit'
import * as z from 'zod'

const outbox = []

const toolkit = new Toolkit({ name: 'mailer', title: 'Mailer', version: '1.0.0', serviceDomains: ['email'] })
  .tool({
    name: 'list_outbox',
    title: 'List outbox',
    description: 'List the messages that were sent, newest first.',
    // The outbox is local, so this tool uses no service.
    serviceDomains: [],
    preset: 'read-query',
    execute: ctx => ctx.json(outbox.toReversed()),
  })
  .tool({
    name: 'send_message',
    title: 'Send message',
    description: 'Send an e-mail to one or more people.',
    input: { to: z.array(z.string()).min(1), subject: z.string(), text: z.string() },
    behavior: {
      operations: ['create'],
      readOnly: false,
      destructive: false,
      idempotent: false,
      openWorld: true,
      egress: true,
      reversible: false,
    },
    // Present tense, because calls that wait or are refused show it too.
    action: 'Send email "{subject}" to {to}',
    execute(ctx, message) {
      outbox.push(message)
      return ctx.json({ sent: message.to.length })
    },
  })

await toolkit.serve()

// A small MCP server that pretends to send mail: the outbox is in memory, and nothing leaves this machine. It is
// examples/mailer-server.mjs without the toolkit, because the gateway's package must not depend on the toolkit.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const outbox = []

const say = value => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })

function createMailer() {
  const server = new McpServer({ name: 'mailer', title: 'Mailer', version: '1.0.0' })
  server.registerTool(
    'list_outbox',
    {
      title: 'List outbox',
      description: 'List the messages that were sent, newest first.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    () => say(outbox.toReversed()),
  )
  server.registerTool(
    'send_message',
    {
      title: 'Send message',
      description: 'Send an e-mail to one or more people.',
      inputSchema: z.object({ to: z.array(z.string()).min(1), subject: z.string(), text: z.string() }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      },
      _meta: {
        'io.hintgate/hints': { egressHint: true, reversibleHint: false },
        'io.hintgate/metadata': {
          classification: { serviceDomains: ['email'] },
          behavior: { operations: ['create'] },
          // Present tense, because calls that wait or are refused show it too.
          action: 'Send email "{subject}" to {to}',
        },
      },
    },
    message => {
      outbox.push(message)
      return say({ sent: message.to.length })
    },
  )
  return server
}

serveStdio(createMailer)

// A small MCP server with notes in memory that declares every hint. `hintgate demo` runs it. It is
// examples/notes-server.mjs without the toolkit, because the gateway's package must not depend on the toolkit.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const notes = new Map([
  ['1', { title: 'Groceries', text: 'Milk, bread, a lemon' }],
  ['2', { title: 'Ideas', text: 'A gateway that asks before it deletes' }],
])
let nextId = 3

const say = value => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const local = { openWorldHint: false }

function createNotes() {
  const server = new McpServer({ name: 'notes', title: 'Notes', version: '1.0.0' })
  server.registerTool(
    'search_notes',
    {
      title: 'Search notes',
      description: 'Find notes whose title or text contains the given words.',
      inputSchema: z.object({ query: z.string().describe('Words to look for; empty finds all') }),
      annotations: { ...local, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    },
    ({ query }) => {
      const matches = [...notes].filter(([, note]) =>
        `${note.title} ${note.text}`.toLowerCase().includes(query.toLowerCase()),
      )
      return say(matches.map(([id, note]) => ({ id, ...note })))
    },
  )
  server.registerTool(
    'add_note',
    {
      title: 'Add note',
      description: 'Create a note. Calling it twice creates two notes.',
      inputSchema: z.object({ title: z.string(), text: z.string() }),
      annotations: { ...local, readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    note => {
      const id = String(nextId++)
      notes.set(id, note)
      return say({ id })
    },
  )
  server.registerTool(
    'delete_note',
    {
      title: 'Delete note',
      description: 'Permanently delete a note.',
      inputSchema: z.object({ id: z.string() }),
      annotations: { ...local, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    ({ id }) => say({ deleted: notes.delete(id) }),
  )
  return server
}

serveStdio(createNotes)

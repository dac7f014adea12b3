// A small MCP server with notes in memory that declares every hint. `npm start` runs it.
// The titles of its tools are derived from their names.
//   node examples/notes-server.mjs [--http --port 3000]
import { Toolkit } from '@hintgate/toolkit'
import * as z from 'zod'

const notes = new Map([
  ['1', { title: 'Groceries', text: 'Milk, bread, a lemon' }],
  ['2', { title: 'Ideas', text: 'A gateway that asks before it deletes' }],
])
let nextId = 3

const toolkit = new Toolkit({ name: 'notes', title: 'Notes', version: '1.0.0' })
  .tool({
    name: 'search_notes',
    description: 'Find notes whose title or text contains the given words.',
    input: { query: z.string().describe('Words to look for; empty finds all') },
    preset: 'search',
    execute(ctx, { query }) {
      const matches = [...notes].filter(([, note]) =>
        `${note.title} ${note.text}`.toLowerCase().includes(query.toLowerCase()),
      )
      return ctx.json(matches.map(([id, note]) => ({ id, ...note })))
    },
  })
  .tool({
    name: 'add_note',
    description: 'Create a note. Calling it twice creates two notes.',
    input: { title: z.string(), text: z.string() },
    preset: 'append',
    execute(ctx, note) {
      const id = String(nextId++)
      notes.set(id, note)
      return ctx.json({ id })
    },
  })
  .tool({
    name: 'delete_note',
    description: 'Permanently delete a note.',
    input: { id: z.string() },
    // Deleting a note twice has the same effect as once. The preset does not declare that.
    preset: 'delete',
    behavior: { idempotent: true },
    execute: (ctx, { id }) => ctx.json({ deleted: notes.delete(id) }),
  })

await toolkit.serve()

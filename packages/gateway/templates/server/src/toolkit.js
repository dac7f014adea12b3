// @ts-check
import { randomUUID } from 'node:crypto'
import { Toolkit } from '@hintgate/toolkit'
import * as z from 'zod'

/** @typedef {{ title: string, isDone: boolean }} Task */

/**
 * The tools of the server. The tasks are a parameter, so that tests can pass their own. Replace the map by your database
 * or service.
 *
 * @param {Map<string, Task>} tasks
 */
export function createToolkit(tasks = new Map()) {
  return new Toolkit({ name: '{{name}}', version: '0.1.0' })
    .tool({
      name: 'list_tasks',
      title: 'List tasks',
      description: 'List all tasks, done and open.',
      // A preset stands for four hints: read-only, destructive, idempotent, open-world.
      preset: 'read-query',
      execute: ctx => ctx.json({ tasks: [...tasks].map(([id, task]) => ({ id, ...task })) }),
    })
    .tool({
      name: 'add_task',
      title: 'Add task',
      description: 'Add an open task. Calling it twice adds two.',
      input: { title: z.string().min(1) },
      preset: 'append',
      action: 'Added task "{title}"',
      execute(ctx, { title }) {
        const id = randomUUID()
        tasks.set(id, { title, isDone: false })
        return ctx.json({ id })
      },
    })
    .tool({
      name: 'complete_task',
      title: 'Complete task',
      description: 'Mark a task as done.',
      input: { id: z.string() },
      preset: 'upsert',
      action: 'Completed task {id}',
      execute(ctx, { id }) {
        const task = tasks.get(id)
        if (task === undefined) return ctx.fail(`Task ${id} does not exist.`)
        task.isDone = true
        return ctx.json({ id, ...task })
      },
    })
    .tool({
      name: 'delete_task',
      title: 'Delete task',
      description: 'Delete a task for good.',
      input: { id: z.string() },
      // The hints in full, because no preset fits: deleting a task twice has the same effect as once.
      behavior: {
        operations: ['delete'],
        readOnly: false,
        destructive: true,
        idempotent: true,
        openWorld: false,
        reversible: false,
      },
      action: 'Deleted task {id}',
      execute: (ctx, { id }) => ctx.json({ deleted: tasks.delete(id) }),
      // A person sees this before they approve the call.
      preview: (ctx, { id }) => ctx.text(`Would delete "${tasks.get(id)?.title ?? 'nothing'}".`),
    })
}

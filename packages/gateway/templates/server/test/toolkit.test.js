// @ts-check
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTestClient, verifyHints } from '@hintgate/toolkit/testing'
import { createToolkit } from '../src/toolkit.js'

/** @returns {Map<string, import('../src/toolkit.js').Task>} */
const someTasks = () =>
  new Map([
    ['1', { title: 'Water the plants', isDone: false }],
    ['2', { title: 'Call Ada', isDone: true }],
  ])

describe('the tools', () => {
  it('add, complete and list', async () => {
    const tasks = someTasks()
    const client = createTestClient(createToolkit(tasks))
    await client.call('add_task', { title: 'Buy stamps' })
    await client.call('complete_task', { id: '1' })
    const { structuredContent } = await client.call('list_tasks')
    assert.equal(tasks.size, 3)
    assert.deepEqual(structuredContent, { tasks: [...tasks].map(([id, task]) => ({ id, ...task })) })
  })

  it('preview a deletion, and delete', async () => {
    const tasks = someTasks()
    const client = createTestClient(createToolkit(tasks))
    const { content } = await client.preview('delete_task', { id: '1' })
    assert.deepEqual(content, [{ type: 'text', text: 'Would delete "Water the plants".' }])
    assert.equal(tasks.size, 2)
    await client.call('delete_task', { id: '1' })
    assert.deepEqual([...tasks.keys()], ['2'])
  })

  it('name an invalid argument', async () => {
    const result = await createTestClient(createToolkit()).call('add_task', { title: '' })
    assert.equal(result.isError, true)
    assert.match(JSON.stringify(result.content), /title/)
  })

  it('behave as their hints declare', async () => {
    const tasks = someTasks()
    const { uncovered } = await verifyHints(createToolkit(tasks), {
      state: {
        snapshot: () => tasks,
        reset() {
          tasks.clear()
          for (const [id, task] of someTasks()) tasks.set(id, task)
        },
      },
      cases: {
        list_tasks: {},
        add_task: { title: 'Buy stamps' },
        complete_task: { id: '1' },
        delete_task: { id: '1' },
      },
    })
    // Without a case, nothing is known about the behaviour of a tool.
    assert.deepEqual(uncovered, [])
  })
})

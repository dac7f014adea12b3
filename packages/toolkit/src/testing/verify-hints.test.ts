import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Toolkit } from '../index.ts'
import { HintsBroken, verifyHints } from './index.ts'

interface Note {
  id: string
  text: string
}

function createNotes() {
  const notes: Note[] = [
    { id: '1', text: 'milk' },
    { id: '2', text: 'bread' },
  ]
  const id = { id: z.string() }
  const toolkit = new Toolkit({ name: 'notes', version: '1' })
    .tool({
      name: 'honest_delete',
      description: 'x',
      input: id,
      preset: 'delete',
      behavior: { idempotent: true },
      execute(ctx, args) {
        const at = notes.findIndex(note => note.id === args.id)
        if (at < 0) return ctx.fail('gone already')
        notes.splice(at, 1)
        return ctx.text('deleted')
      },
      preview: ctx => ctx.text('would delete'),
    })
    .tool({
      name: 'honest_update',
      description: 'x',
      input: { ...id, text: z.string() },
      preset: 'upsert',
      execute(ctx, args) {
        const note = notes.find(({ id }) => id === args.id)
        if (note === undefined) notes.push(args)
        else note.text = args.text
        return ctx.text('set')
      },
    })
    .tool({
      name: 'lying_read',
      description: 'x',
      preset: 'read-query',
      execute(ctx) {
        notes.push({ id: String(notes.length + 1), text: 'seen' })
        return ctx.text('read')
      },
    })
    .tool({
      name: 'lying_append',
      description: 'x',
      preset: 'append',
      execute(ctx) {
        notes.shift()
        return ctx.text('added')
      },
    })
    .tool({
      name: 'lying_preview',
      description: 'x',
      preset: 'append',
      execute: ctx => ctx.text('added'),
      preview(ctx) {
        notes.pop()
        return ctx.text('would add')
      },
    })
  return { notes, toolkit }
}

async function violationsOf(cases: Readonly<Record<string, object>>) {
  const { notes, toolkit } = createNotes()
  try {
    await verifyHints(toolkit, { state: () => notes, cases: cases as never })
  } catch (error) {
    if (error instanceof HintsBroken) return error.violations
    throw error
  }
  return []
}

describe('verifyHints', () => {
  it('accepts tools that match their hints, and lists tools without a case', async () => {
    const { notes, toolkit } = createNotes()
    const cases = {
      honest_delete: { id: '1' },
      honest_update: [
        { id: '2', text: 'a' },
        { id: '9', text: 'b' },
      ],
    }
    expect(await verifyHints(toolkit, { state: () => notes, cases })).toEqual({
      calls: 3,
      uncovered: ['lying_read', 'lying_append', 'lying_preview'],
    })
  })

  it('detects a read-only tool that changes state, and an idempotent one that changes it twice', async () => {
    expect(await violationsOf({ lying_read: {} })).toMatchObject([
      { tool: 'lying_read', code: 'readonly-changed', paths: ['3'] },
      { tool: 'lying_read', code: 'idempotent-changed', paths: ['4'] },
    ])
  })

  it('detects a non-destructive tool that loses data', async () => {
    expect(await violationsOf({ lying_append: {} })).toMatchObject([{ code: 'destroyed', paths: ['1'] }])
  })

  it('detects a preview that changes state', async () => {
    expect(await violationsOf({ lying_preview: {} })).toMatchObject([
      { code: 'preview-changed', paths: ['2'] },
    ])
  })

  it('reports a case whose call fails', async () => {
    expect(await violationsOf({ honest_delete: { id: '7' } })).toMatchObject([{ code: 'case-failed' }])
  })

  it('reports all violations in one error', async () => {
    const { notes, toolkit } = createNotes()
    const cases = { lying_append: {}, lying_read: {} }
    await expect(verifyHints(toolkit, { state: () => notes, cases })).rejects.toThrow(
      /lying_append .*\n.*lying_read /s,
    )
  })

  it('resets the state before every case', async () => {
    const files = new Map([['a', 'x']])
    const toolkit = new Toolkit({ name: 'files', version: '1' }).tool({
      name: 'delete_file',
      description: 'x',
      input: { path: z.string() },
      preset: 'delete',
      execute: (ctx, { path }) => (files.delete(path) ? ctx.text('deleted') : ctx.fail('no such file')),
    })
    const state = { snapshot: () => files, reset: () => files.set('a', 'x') }
    const cases = { delete_file: [{ path: 'a' }, { path: 'a' }] }
    expect(await verifyHints(toolkit, { state, cases })).toEqual({ calls: 2, uncovered: [] })
  })
})

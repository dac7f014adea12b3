// This file is only type-checked (by `npm run check`), never run. Each `@ts-expect-error` fails the check if the line
// below it compiles.
import * as z from 'zod'
import * as mini from 'zod/mini'
import { type Context, Toolkit } from './index.ts'

const crm = new Toolkit({ name: 'crm', version: '1.0.0', serviceDomains: ['crm'] })
const local = new Toolkit({ name: 'files', version: '1.0.0' })

const base = { name: 'x', description: 'x' } as const
const x = { ...base, execute: (ctx: Context<unknown>) => ctx.text('') }

type IsAny<T> = 0 extends 1 & T ? true : false
type Equal<A, B> = IsAny<B> extends true ? false : [A, B] extends [B, A] ? true : false
function expectType<T>() {
  return <U>(_value: U, ..._same: Equal<T, U> extends true ? [] : ['these types differ', U]): void => {}
}

// The example in the issue that asked for these checks.
crm.tool({
  name: 'delete_contact',
  title: 'Delete contact',
  description: '…',
  input: { id: z.string() },
  behavior: { operations: ['delete'], readOnly: false, destructive: true, idempotent: true, openWorld: true },
  action: 'Deleted contact {id}',
  async execute(ctx, { id }) {
    expectType<string>()(id)
    await ctx.progress(1, 3, 'looking it up')
    ctx.signal.throwIfAborted()
    return ctx.json({ deleted: true })
  },
  async preview(ctx, { id }) {
    expectType<string>()(id)
    return ctx.text('would delete Ada Lovelace and 3 notes')
  },
})

// The arguments have the types that their schemas define.
local.tool({
  ...base,
  input: { a: z.string().optional(), b: z.number().default(1), c: mini.boolean() },
  execute: (ctx, args) => {
    expectType<{ a?: string | undefined; b: number; c: boolean }>()(args)
    return ctx.text('')
  },
})
local.tool({
  ...base,
  input: z.object({ when: z.iso.date().transform(text => new Date(text)) }),
  effects: ({ when }) => ({ readOnly: when.getTime() < 0 }),
  execute: (ctx, { when }) => ctx.text(when.toISOString()),
})

// The environment has the types that its schemas define.
new Toolkit({ name: 'x', version: '1', env: { TOKEN: z.string(), LIMIT: z.coerce.number() } }).tool({
  ...base,
  execute: ctx => {
    expectType<string>()(ctx.env.TOKEN)
    expectType<number>()(ctx.env.LIMIT)
    // @ts-expect-error: not part of the environment
    ctx.log(ctx.env.OTHER)
    return ctx.text('')
  },
})

// readonly-mutates
// @ts-expect-error: creates, but declares read-only
local.tool({ ...x, behavior: { operations: ['read', 'create'], readOnly: true } })
// @ts-expect-error: the same, with the specification's name of the flag
local.tool({ ...x, annotations: { readOnlyHint: true }, behavior: { operations: ['update'] } })
// @ts-expect-error: the same, by a preset
local.tool({ ...x, preset: 'search', behavior: { operations: ['delete'] } })
// @ts-expect-error: the same, by a category
local.tool({ ...x, category: 'read', behavior: { operations: ['delete'] } })

// readonly-opaque
// @ts-expect-error: an opaque call cannot be read-only
local.tool({ ...x, behavior: { operations: ['opaque'], readOnly: true } })

// delete-not-destructive; an undeclared flag is accepted
// @ts-expect-error: deletes, but declares not destructive
local.tool({ ...x, behavior: { operations: ['delete'], destructive: false } })
local.tool({ ...x, behavior: { operations: ['delete'] } })

// domain-closed-world
// @ts-expect-error: the toolkit uses a service
crm.tool({ ...x, behavior: { openWorld: false } })
// @ts-expect-error: the preset sets openWorld to false
crm.tool({ ...x, preset: 'delete' })
crm.tool({ ...x, preset: 'delete', behavior: { openWorld: true } })
crm.tool({ ...x, serviceDomains: [], behavior: { openWorld: false } })
local.tool({ ...x, behavior: { openWorld: false } })

// readonly-destructive
// @ts-expect-error: both flags are true
local.tool({ ...x, annotations: { readOnlyHint: true, destructiveHint: true } })

// `strict: false` allows contradictions but no other mistakes.
local.tool({ ...x, behavior: { operations: ['create'], readOnly: true }, strict: false })
// @ts-expect-error: unknown flag
local.tool({ ...x, behavior: { readonly: true, destructive: false }, strict: false })

// Contradictions that TypeScript cannot check are found at start-up, so they are not errors here.
const isReadOnly: boolean = Math.random() > 0.5
local.tool({ ...x, behavior: { operations: ['create'], readOnly: isReadOnly } })

// Misspelt words
// @ts-expect-error: unknown annotation
local.tool({ ...x, annotations: { readOnly: true } })
// @ts-expect-error: unknown preset
local.tool({ ...x, preset: 'send_message' })
// @ts-expect-error: unknown operation
local.tool({ ...x, behavior: { operations: ['remove'] } })
// @ts-expect-error: unknown domain
local.extend(new Toolkit({ name: 'x', version: '1', serviceDomains: ['chat'] }))
// @ts-expect-error: "yes" is not a boolean
local.tool({ ...x, behavior: { readOnly: 'yes' } })
// @ts-expect-error: British spelling
local.tool({ ...x, behaviour: {} })
// @ts-expect-error: a tool must return a result
local.tool({ ...base, execute: () => 42 })

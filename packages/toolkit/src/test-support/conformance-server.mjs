// The tools, resources and prompts that the official conformance suite expects of a server. The suite defines the names.
/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema, never awaited */
import { setTimeout as pause } from 'node:timers/promises'
import { Toolkit } from '@hintgate/toolkit'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import * as z from 'zod'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const image = { type: 'image', data: PNG, mimeType: 'image/png' }
const resource = (uri, mimeType, text) => ({ type: 'resource', resource: { uri, mimeType, text } })

/** Uses JSON Schema 2020-12 keywords that some servers drop. */
const contact = fromJsonSchema({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
})

const reads = { description: 'Answers what the suite asks for', preset: 'read-query' }
const answers = (name, content) => ({ ...reads, name, execute: () => ({ content }) })

const toolkit = new Toolkit({ name: 'toolkit-conformance', version: '1.0.0' })
  // The suite calls the first tool of the list without arguments, so this one must stay first.
  .tool({
    ...reads,
    name: 'test_simple_text',
    execute: ctx => ctx.text('This is a simple text response for testing.'),
  })
  .tool(answers('test_image_content', [image]))
  .tool(answers('test_audio_content', [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }]))
  .tool(
    answers('test_embedded_resource', [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ]),
  )
  .tool(
    answers('test_multiple_content_types', [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ]),
  )
  .tool({
    ...reads,
    name: 'test_error_handling',
    execute: ctx => ctx.fail('This tool intentionally returns an error for testing'),
  })
  .tool({
    ...reads,
    name: 'test_tool_with_logging',
    async execute(ctx) {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        ctx.log(line)
        await pause(50)
      }
      return ctx.text('Tool with logging executed successfully')
    },
  })
  .tool({
    ...reads,
    name: 'test_tool_with_progress',
    async execute(ctx) {
      for (const progress of [0, 50, 100]) {
        await ctx.progress(progress, 100, `Completed ${progress} of 100`)
        await pause(50)
      }
      return ctx.text('Progress reported')
    },
  })
  .tool({
    ...reads,
    name: 'test_elicitation',
    input: { message: z.string() },
    async execute(ctx, { message }) {
      const answer = await ctx.elicit(message, {
        username: z.string().describe("User's response"),
        email: z.string().describe("User's email address"),
      })
      return ctx.text(
        `User response: action: ${answer.action}, content: ${JSON.stringify(answer.content ?? {})}`,
      )
    },
  })
  .tool({
    ...reads,
    name: 'test_elicitation_sep1034_defaults',
    async execute(ctx) {
      const answer = await ctx.elicit('Please check these values', {
        name: z.string().default('John Doe'),
        age: z.int().default(30),
        score: z.number().default(95.5),
        status: z.enum(['active', 'inactive', 'pending']).default('active'),
        verified: z.boolean().default(true),
      })
      return ctx.text(
        `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`,
      )
    },
  })
  .tool({
    ...reads,
    name: 'test_input_required_result_elicitation',
    async execute(ctx) {
      const answer = await ctx.elicit('What is your name?', { name: z.string() })
      return ctx.text(`Hello, ${answer.content?.name}!`)
    },
  })
  .tool({
    ...reads,
    name: 'test_input_required_result_request_state',
    async execute(ctx) {
      await ctx.elicit('Please confirm', { ok: z.boolean() })
      return ctx.text('state-ok')
    },
  })
  .tool({
    ...reads,
    name: 'test_input_required_result_tampered_state',
    async execute(ctx) {
      await ctx.elicit('Please confirm', { ok: z.boolean() })
      return ctx.text('confirmed')
    },
  })
  .tool({
    ...reads,
    name: 'test_input_required_result_multi_round',
    async execute(ctx) {
      await ctx.elicit('Step 1: What is your name?', { name: z.string() })
      await ctx.elicit('Step 2: What is your favorite color?', { color: z.string() })
      return ctx.text('Both steps answered')
    },
  })
  .tool({
    ...reads,
    name: 'json_schema_2020_12_tool',
    input: contact,
    execute: (ctx, args) => ctx.text(`Arguments received: ${JSON.stringify(args)}`),
  })
  .tool({
    ...reads,
    name: 'test_x_mcp_header',
    input: {
      region: z.string().meta({ 'x-mcp-header': 'Region' }),
      priority: z.int().meta({ 'x-mcp-header': 'Priority' }).optional(),
      dryRun: z.boolean().meta({ 'x-mcp-header': 'Dry-Run' }).optional(),
      note: z.string().optional(),
    },
    execute: (ctx, args) => ctx.text(`Arguments received: ${JSON.stringify(args)}`),
  })
  .resource({
    uri: 'test://static-text',
    name: 'static-text',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  })
  .resource({
    uri: 'test://static-binary',
    name: 'static-binary',
    mimeType: 'image/png',
    read: () => Buffer.from(PNG, 'base64'),
  })
  .resource({
    uri: 'test://template/{id}/data',
    name: 'template',
    read: (_ctx, { id }) => ({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
  })
  .prompt({
    name: 'test_simple_prompt',
    description: 'A prompt of the suite',
    render: () => 'This is a simple prompt for testing.',
  })
  .prompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt of the suite',
    input: { arg1: z.string(), arg2: z.string() },
    render: (_ctx, { arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  })
  .prompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt of the suite',
    input: { resourceUri: z.string() },
    render: (_ctx, { resourceUri }) => [
      {
        role: 'user',
        content: resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ],
  })
  .prompt({
    name: 'test_prompt_with_image',
    description: 'A prompt of the suite',
    render: () => [
      { role: 'user', content: image },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  })

await toolkit.serve()

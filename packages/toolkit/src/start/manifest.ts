import type { ToolDefinition } from '@hintgate/metadata'
import { readInput } from '../input/read-input.ts'
import type { PromptEntry, ResourceEntry } from './entries.ts'
import type { Parts } from './ready.ts'

/** Everything that a server offers, as one JSON document. `hintgate lint` reads it. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly instructions?: string
  readonly tools: readonly ToolDefinition[]
  readonly resources?: readonly object[]
  readonly resourceTemplates?: readonly object[]
  readonly prompts?: readonly object[]
}

export function describeParts({ info, instructions, tools, resources, prompts }: Parts): Manifest {
  const [templates, fixed] = [resources.filter(isTemplate), resources.filter(entry => !isTemplate(entry))]
  return {
    ...info,
    ...(instructions === undefined ? {} : { instructions }),
    tools: tools.map(({ definition }) => definition),
    ...(fixed.length === 0 ? {} : { resources: fixed.map(describeResource) }),
    ...(templates.length === 0 ? {} : { resourceTemplates: templates.map(describeTemplate) }),
    ...(prompts.length === 0 ? {} : { prompts: prompts.map(describePrompt) }),
  }
}

function isTemplate({ isTemplate }: ResourceEntry): boolean {
  return isTemplate
}

function describeResource({ uri, name, metadata }: ResourceEntry): object {
  return { uri, name, ...metadata }
}

function describeTemplate({ uri, name, metadata }: ResourceEntry): object {
  return { uriTemplate: uri, name, ...metadata }
}

function describePrompt({ name, title, description, input }: PromptEntry): object {
  const { properties = {}, required = [] } = input === undefined ? {} : readInput(input).jsonSchema
  const names = Object.keys(properties as object)
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(names.length === 0 ? {} : { arguments: names.map(argument => describeArgument(argument, required)) }),
  }
}

function describeArgument(name: string, required: unknown): object {
  return { name, required: Array.isArray(required) && required.includes(name) }
}

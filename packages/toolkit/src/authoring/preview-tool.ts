import { displayTitle, projectMetadata, type ToolMetadata, toRecord } from '@hintgate/metadata'
import type { ToolEntry } from '../start/entries.ts'
import type { AnyTool } from './tool-spec.ts'

interface Original {
  readonly entry: ToolEntry
  readonly metadata: ToolMetadata
}

/**
 * Creates the read-only tool for a `preview` function. The gateway calls it before asking a person, and an agent can
 * call it before acting. The preview is a separate tool, which leaves the arguments of the original as the author wrote
 * them.
 */
export function previewTool(tool: AnyTool, { entry, metadata }: Original): ToolEntry | undefined {
  const { preview } = tool
  if (typeof preview !== 'function') return undefined
  const name = `preview_${tool.name}`
  const about = previewMetadata(tool, metadata)
  return {
    ...entry,
    name,
    definition: {
      name,
      description: `Shows what ${tool.name} would do with the same arguments. Changes nothing. ${tool.description}`,
      inputSchema: entry.definition.inputSchema,
      ...projectMetadata(about, entry.home.projection),
    },
    hints: toRecord(about).hints,
    output: undefined,
    execute: preview,
    previewOf: tool.name,
  }
}

function previewMetadata({ name }: AnyTool, { title, classification, behavior }: ToolMetadata): ToolMetadata {
  const { openWorld, sensitive, reach } = behavior ?? {}
  return {
    title: `Preview: ${displayTitle({ name, title })}`,
    ...(classification === undefined ? {} : { classification }),
    behavior: {
      operations: ['read'],
      readOnly: true,
      destructive: false,
      idempotent: true,
      // A preview uses the same services and sees the same data as the original tool.
      ...(openWorld === undefined ? {} : { openWorld }),
      ...(sensitive === undefined ? {} : { sensitive }),
      ...(reach === undefined ? {} : { reach }),
    },
  }
}

import { structuredPatch } from 'diff'
import { findDocumentSecrets, maskDocument } from './mask-document.ts'

/** Two states of a file, as texts and as what they mean. */
export interface Change {
  readonly before: { readonly text: string; readonly value: unknown }
  readonly after: { readonly text: string; readonly value: unknown }
}

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const
const CONTEXT = 2

/** What changes line by line, with every secret in it masked: people show their terminal to others. */
export function showChange({ before, after }: Change): readonly DiffLine[] {
  const secrets = findDocumentSecrets([before.value, after.value])
  const [old, fresh] = [before, after].map(({ text }) => maskDocument(text, secrets).replaceAll('\r\n', '\n'))
  const { hunks } = structuredPatch('', '', old ?? '', fresh ?? '', '', '', { context: CONTEXT })
  return hunks.flatMap(({ lines }, index): DiffLine[] => [
    ...(index === 0 ? [] : [{ kind: 'gap' as const, text: '' }]),
    ...lines.flatMap(line => {
      const kind = KINDS[line.charAt(0) as keyof typeof KINDS]
      // `\ No newline at end of file` is no line.
      return kind === undefined ? [] : [{ kind, text: line.slice(1) }]
    }),
  ])
}

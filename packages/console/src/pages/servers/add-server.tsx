import { type ReactNode, useState } from 'react'
import { api, type ServerTest } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Segments } from '../../parts/segments.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { type Draft, EMPTY, toEntry } from './server-entry.ts'
import { TestResult } from './test-result.tsx'

const KINDS = [
  { id: 'command', label: 'Local command' },
  { id: 'url', label: 'URL' },
] as const

const TRUST = [
  { id: 'reviewed', label: 'Reviewed' },
  { id: 'trusted', label: 'Trusted' },
] as const

export function AddServer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [result, setResult] = useState<ServerTest>()
  const set = (change: Partial<Draft>): void => {
    setDraft({ ...draft, ...change })
    setResult(undefined)
  }
  const isComplete = (draft.kind === 'url' ? draft.url : draft.command).trim() !== ''
  const test = useAction({
    do: () => api.testServer({ body: { config: toEntry(draft) } }),
    changes: [],
    onDone: setResult,
  })
  const add = useAction({
    do: () => api.addServer({ body: { name: draft.name.trim(), config: toEntry(draft) } }),
    changes: ['servers', 'overview', 'welcome', 'tools', 'review'],
    done: 'Server added',
    onDone: onClose,
  })
  return (
    <Dialog
      title="Add a server"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button isDisabled={!isComplete || test.isPending} onPress={() => test.mutate(undefined)}>
            {test.isPending ? 'Testing…' : 'Test'}
          </Button>
          <Button
            kind="primary"
            isDisabled={!isComplete || draft.name.trim() === '' || add.isPending}
            onPress={() => add.mutate(undefined)}
          >
            Add server
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={draft.name}
        onChange={name => set({ name })}
        placeholder="files"
        autoFocus
      />
      <Segments label="Transport" options={KINDS} value={draft.kind} onChange={kind => set({ kind })} />
      {draft.kind === 'command' ? (
        <TextField
          label="Command"
          code
          value={draft.command}
          onChange={command => set({ command })}
          placeholder="npx -y @modelcontextprotocol/server-filesystem ."
        />
      ) : (
        <TextField
          label="URL"
          code
          value={draft.url}
          onChange={url => set({ url })}
          placeholder="https://crm.example/mcp"
        />
      )}
      <TextField
        label={draft.kind === 'command' ? 'Environment' : 'Headers'}
        code
        rows={2}
        value={draft.pairs}
        onChange={pairs => set({ pairs })}
        placeholder={draft.kind === 'command' ? `TOKEN=\${env:TOKEN}` : `Authorization: Bearer \${env:TOKEN}`}
        help="One per line. Use ${env:NAME} or ${file:PATH} to keep secrets out of the config."
      />
      <div className="field">
        <span className="field-label">Trust</span>
        <Segments label="Trust" options={TRUST} value={draft.trust} onChange={trust => set({ trust })} />
        <span className="field-help">
          {draft.trust === 'reviewed'
            ? 'New and changed tools are hidden from agents until an operator approves them.'
            : "The server's first tools, and changes that only make a tool stricter, are approved automatically."}
        </span>
      </div>
      {result !== undefined && <TestResult result={result} />}
    </Dialog>
  )
}

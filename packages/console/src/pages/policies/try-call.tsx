import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Choice } from '../../parts/choice.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { splitToolId } from '../../shell/paths.ts'
import { parseEntry } from '../servers/parse-entry.ts'
import { TrialResult } from './trial-result.tsx'

/** Shows the verdict that a call would get, without forwarding it. */
export function TryCall(): ReactNode {
  const agents = useQuery({ queryKey: ['agents'], queryFn: () => api.listAgents() })
  const callers =
    agents.data?.items
      .filter(({ kind }) => kind === 'agent')
      .map(({ name }) => ({ id: name, label: name })) ?? []
  const [chosen, setAgent] = useState('')
  const agent = chosen === '' ? (callers[0]?.id ?? '') : chosen
  const [tool, setTool] = useState('')
  const [text, setText] = useState('{}')
  const args = parseEntry(text)
  const attempt = useAction({
    do: () => {
      const [server, name] = splitToolId(tool.trim())
      return api.tryPolicy({ body: { call: { agent, server, tool: name, args: args ?? {} } } })
    },
    changes: [],
  })
  return (
    <div className="editor">
      <Card title="Test call" about="The call is not forwarded. Only its verdict is computed.">
        <div className="stack">
          {callers.length === 0 ? (
            <p className="quiet">
              There are no agents yet. <a href="#/agents">Create a token</a>
            </p>
          ) : (
            <Choice label="Agent" options={callers} value={agent} onChange={setAgent} />
          )}
          <TextField label="Tool" code value={tool} onChange={setTool} placeholder="server:tool" />
          <TextField
            label="Arguments"
            code
            rows={6}
            value={text}
            onChange={setText}
            problem={args === undefined ? 'This is not a JSON object.' : undefined}
          />
          <div>
            <Button
              kind="primary"
              isDisabled={agent === '' || !tool.includes(':') || args === undefined || attempt.isPending}
              onPress={() => attempt.mutate(undefined)}
            >
              Show verdict
            </Button>
          </div>
        </div>
      </Card>
      {attempt.data !== undefined && <TrialResult trial={attempt.data} />}
    </div>
  )
}

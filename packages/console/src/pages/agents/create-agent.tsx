import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Agent, api, type NewAgent, type Role } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/check.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Segments } from '../../parts/segments.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { PERMISSIONS } from './format-permissions.ts'
import { splitList } from './split-list.ts'
import './agents.css'

const KINDS = [
  { id: 'agent', label: 'An agent' },
  { id: 'person', label: 'A person' },
] as const

const ROLES: readonly { readonly id: Role; readonly label: string }[] = [
  { id: 'viewer', label: 'viewer: view everything' },
  { id: 'approver', label: 'approver: approve and deny calls' },
  { id: 'operator', label: 'operator: review tools and set hints' },
  { id: 'admin', label: 'admin: change everything' },
]

const EXPIRES = [
  { id: '1d', label: 'in 1 day' },
  { id: '30d', label: 'in 30 days' },
  { id: '90d', label: 'in 90 days' },
  { id: '365d', label: 'in 1 year' },
  { id: 'never', label: 'never' },
]

interface Props {
  readonly onClose: () => void
  readonly onCreated: (newToken: NewAgent) => void
}

export function CreateAgent({ onClose, onCreated }: Props): ReactNode {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'agent' | 'person'>('agent')
  const [role, setRole] = useState<Role>('viewer')
  const [permissions, setPermissions] = useState<readonly Agent['permissions'][number][]>([
    'retrieve_tools',
    'call_tool_read',
  ])
  const [servers, setServers] = useState('*')
  const [tools, setTools] = useState('')
  const [expires, setExpires] = useState('30d')
  const known = useQuery({ queryKey: ['servers'], queryFn: () => api.listServers() })
  // An idempotency key. It prevents a second press of the button from creating a second token.
  const [key] = useState(() => crypto.randomUUID())
  const create = useAction({
    do: () =>
      api.createAgent({
        idempotencyKey: key,
        body: {
          name: name.trim(),
          kind,
          ...(expires === 'never' ? {} : { expiresIn: expires }),
          ...(kind === 'person'
            ? { role }
            : {
                permissions: [...permissions],
                servers: splitList(servers),
                ...(splitList(tools).length === 0 ? {} : { tools: splitList(tools) }),
              }),
        },
      }),
    changes: ['agents', 'welcome'],
    onDone: onCreated,
  })
  return (
    <Dialog
      title="New token"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isDisabled={name.trim() === '' || create.isPending}
            onPress={() => create.mutate(undefined)}
          >
            Create token
          </Button>
        </>
      }
    >
      <Segments label="For" options={KINDS} value={kind} onChange={setKind} />
      <TextField label="Name" value={name} onChange={setName} placeholder="reporting-bot" autoFocus />
      {kind === 'person' ? (
        <Choice
          label="Role"
          options={ROLES}
          value={role}
          onChange={id => setRole(ROLES.find(each => each.id === id)?.id ?? 'viewer')}
        />
      ) : (
        <>
          <fieldset className="permissions">
            <legend className="field-label">Permissions</legend>
            {PERMISSIONS.map(({ id, label, about }) => (
              <Check
                key={id}
                isSelected={permissions.includes(id)}
                onChange={isOn =>
                  setPermissions(isOn ? [...permissions, id] : permissions.filter(each => each !== id))
                }
              >
                <span>
                  {label} <span className="faint">– {about}</span>
                </span>
              </Check>
            ))}
          </fieldset>
          <TextField
            label="Servers"
            code
            value={servers}
            onChange={setServers}
            help={
              <>
                Names or patterns, separated by commas. Available:{' '}
                <Untrusted text={known.data?.items.map(each => each.name).join(', ') ?? '…'} max={200} />
              </>
            }
          />
          <TextField
            label="Tools"
            code
            value={tools}
            onChange={setTools}
            placeholder="all"
            help="Leave empty for all tools, or list names and patterns such as search_*, files:read_*"
          />
        </>
      )}
      <Choice label="Expires" options={EXPIRES} value={expires} onChange={setExpires} />
    </Dialog>
  )
}

import { Ban, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Agent, api, type NewAgent } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Can } from '../../shell/me.tsx'
import { TokenShown } from './token-shown.tsx'

export function AgentActions({ agent: { name, status } }: { readonly agent: Agent }): ReactNode {
  const [asks, setAsks] = useState<'rotate' | 'revoke'>()
  const [made, setMade] = useState<NewAgent>()
  const close = (): void => setAsks(undefined)
  const revoke = useAction({
    do: () => api.revokeAgent({ params: { name } }),
    changes: ['agents', 'welcome'],
    done: 'Token revoked',
    onDone: close,
  })
  const rotate = useAction({
    do: () => api.rotateAgent({ params: { name } }),
    changes: ['agents'],
    onDone: token => {
      close()
      setMade(token)
    },
  })
  const isActive = status === 'active'
  return (
    <Can needs="admin">
      {isActive && (
        <>
          <Button icon={RefreshCw} onPress={() => setAsks('rotate')}>
            New secret
          </Button>
          <Button icon={Ban} kind="danger" onPress={() => setAsks('revoke')}>
            Revoke
          </Button>
        </>
      )}
      <Dialog
        title={asks === 'rotate' ? 'Replace the secret?' : 'Revoke this token?'}
        isOpen={asks !== undefined}
        onClose={close}
        footer={
          <>
            <Button onPress={close}>Cancel</Button>
            {asks === 'rotate' ? (
              <Button kind="primary" isDisabled={rotate.isPending} onPress={() => rotate.mutate(undefined)}>
                Replace secret
              </Button>
            ) : (
              <Button kind="danger" isDisabled={revoke.isPending} onPress={() => revoke.mutate(undefined)}>
                Revoke
              </Button>
            )}
          </>
        }
      >
        <p>
          {asks === 'rotate'
            ? 'The old secret stops working immediately. The new secret is shown only once.'
            : 'The token stops working immediately. You cannot undo this.'}
        </p>
      </Dialog>
      {made !== undefined && <TokenShown made={made} onClose={() => setMade(undefined)} />}
    </Can>
  )
}

import { Ban, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Agent, api, type NewAgent } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Can } from '../../shell/me.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'

export function AgentActions({ agent: { name, status } }: { readonly agent: Agent }): ReactNode {
  const [dialog, setDialog] = useState<'rotate' | 'revoke'>()
  const [newToken, setNewToken] = useState<NewAgent>()
  const close = (): void => setDialog(undefined)
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
      setNewToken(token)
    },
  })
  const isActive = status === 'active'
  return (
    <Can needs="admin">
      {isActive && (
        <>
          <Button icon={RefreshCw} onPress={() => setDialog('rotate')}>
            New secret
          </Button>
          <Button icon={Ban} kind="danger" onPress={() => setDialog('revoke')}>
            Revoke
          </Button>
        </>
      )}
      <Dialog
        title={dialog === 'rotate' ? 'Replace the secret?' : 'Revoke this token?'}
        isOpen={dialog !== undefined}
        onClose={close}
        footer={
          <>
            <Button onPress={close}>Cancel</Button>
            {dialog === 'rotate' ? (
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
          {dialog === 'rotate'
            ? 'The old secret stops working immediately. The new secret is shown only once.'
            : 'The token stops working immediately. You cannot undo this.'}
        </p>
      </Dialog>
      {newToken !== undefined && <NewTokenDialog token={newToken} onClose={() => setNewToken(undefined)} />}
    </Can>
  )
}

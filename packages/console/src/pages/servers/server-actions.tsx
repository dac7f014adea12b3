import { LogIn, RotateCw, ShieldCheck, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, type Server } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { navigate } from '../../shell/hash-location.ts'
import { Can } from '../../shell/me.tsx'

export function ServerActions({ server }: { readonly server: Server }): ReactNode {
  const { name, trust, etag } = server
  const [isRemoving, setRemoving] = useState(false)
  const params = { name }
  const restart = useAction({
    do: () => api.restartServer({ params }),
    changes: ['servers', 'overview'],
    done: 'Restarting',
  })
  const signIn = useAction({
    do: () => api.signInToServer({ params }),
    changes: ['servers'],
    onDone: ({ url }) => location.assign(url),
  })
  const next = trust === 'trusted' ? 'reviewed' : 'trusted'
  const setTrust = useAction({
    do: () => api.trustServer({ params, body: { trust: next }, ifMatch: etag }),
    changes: ['servers', 'tools', 'review'],
    done: next === 'trusted' ? 'Server is now trusted' : 'Changes now need review',
  })
  const remove = useAction({
    do: () => api.removeServer({ params, ifMatch: etag }),
    changes: ['servers', 'overview', 'tools', 'review', 'welcome'],
    done: 'Server removed',
    onDone: () => navigate('/servers'),
  })
  return (
    <Can needs="admin">
      {server.signsIn && (
        <Button icon={LogIn} isDisabled={signIn.isPending} onPress={() => signIn.mutate(undefined)}>
          Sign in
        </Button>
      )}
      <Button icon={RotateCw} isDisabled={restart.isPending} onPress={() => restart.mutate(undefined)}>
        Restart
      </Button>
      <Button icon={ShieldCheck} isDisabled={setTrust.isPending} onPress={() => setTrust.mutate(undefined)}>
        {trust === 'trusted' ? 'Require review' : 'Trust'}
      </Button>
      <Button icon={Trash2} kind="danger" onPress={() => setRemoving(true)}>
        Remove
      </Button>
      <Dialog
        title="Remove this server?"
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        footer={
          <>
            <Button onPress={() => setRemoving(false)}>Cancel</Button>
            <Button kind="danger" isDisabled={remove.isPending} onPress={() => remove.mutate(undefined)}>
              Remove
            </Button>
          </>
        }
      >
        <p>
          The server is removed from the config and its tools are no longer available. Its audit records are
          kept.
        </p>
      </Dialog>
    </Can>
  )
}

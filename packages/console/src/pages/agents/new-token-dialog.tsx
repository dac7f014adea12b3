import type { ReactNode } from 'react'
import type { NewAgent } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'

/** Shows a new token. The secret is shown nowhere else. */
export function NewTokenDialog({
  token,
  onClose,
}: {
  readonly token: NewAgent
  readonly onClose: () => void
}): ReactNode {
  const header = `Authorization: Bearer ${token.token}`
  return (
    <Dialog
      title={
        <>
          Token for <Untrusted text={token.name} max={80} />
        </>
      }
      isOpen
      onClose={onClose}
      footer={
        <Button kind="primary" onPress={onClose}>
          I have saved the token
        </Button>
      }
    >
      <p>Copy the token now. It is shown only once; the gateway stores only its hash.</p>
      <pre className="code-box token">{token.token}</pre>
      <div className="row-wrap">
        <CopyButton text={token.token} label="Copy token" />
        {token.kind === 'agent' && <CopyButton text={header} label="Copy as header" />}
      </div>
      {token.kind === 'agent' && (
        <p className="quiet small">
          Set the URL in the client to <code>{location.origin}/mcp</code>.
        </p>
      )}
    </Dialog>
  )
}

import { Argument, Command } from 'commander'
import { write } from './terminal/output.ts'

const ABOUT = `
Examples:
  $ hintgate completion bash > ~/.local/share/bash-completion/completions/hintgate
  $ hintgate completion zsh > ~/.zfunc/_hintgate    # with fpath+=~/.zfunc before compinit in ~/.zshrc
  $ hintgate completion fish > ~/.config/fish/completions/hintgate.fish`

const SHELLS = ['bash', 'zsh', 'fish'] as const

export function completionCommand(): Command {
  return new Command('completion')
    .description('a script with which a shell completes these commands')
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .addHelpText('after', ABOUT)
    .action(async (shell: (typeof SHELLS)[number], _: object, command: Command) => {
      const { renderCompletion } = await import('./completion-scripts.ts')
      await write(renderCompletion(shell, command.parent ?? command))
    })
}

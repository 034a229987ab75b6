/** A shell into which a reader types one block after another: variables, and programs in the background, stay. */

export interface Typed {
  /** On standard output. */
  readonly output: string
  readonly exitCode: number
}

export interface Terminal {
  run(code: string): Promise<Typed>
  /** Ends the shell, and every program that it started. */
  end(): Promise<void>
}

const mark = 'this-block-has-ended'

/** Its folder `bin` comes first in PATH. */
export function openTerminal(folder: string): Terminal {
  const shell = Bun.spawn(['setsid', 'sh'], {
    cwd: folder,
    env: { PATH: `${folder}/bin:${process.env.PATH}:/usr/sbin`, HOME: folder, NO_PROXY: '127.0.0.1' },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const parts = shell.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let said = ''
  return {
    async run(code) {
      shell.stdin.write(`${code}\necho "${mark} $?"\n`)
      shell.stdin.flush()
      for (;;) {
        const ended = new RegExp(`^${mark} (\\d+)\\n`, 'm').exec(said)
        if (ended) {
          const output = said.slice(0, ended.index)
          said = said.slice(ended.index + ended[0].length)
          return { output, exitCode: Number(ended[1]) }
        }
        const { value, done } = await parts.read()
        if (done) throw new Error(`the shell ended: ${said}`)
        said += value
      }
    },
    async end() {
      try {
        process.kill(-shell.pid, 'SIGKILL')
      } catch {
        // They have ended.
      }
      await shell.exited
    },
  }
}

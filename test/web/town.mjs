// A local L2, a line of two lives on it, and the server of the page.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..')
const program = join(root, 'target/debug/bardo')

/** Words that would do harm wherever they were taken for more than words. */
export const HOSTILE = `<img src=x onerror="window.harmed=1"><script>window.harmed=2</script>"'><svg onload=window.harmed=3>`

const SWING = [0, 12, 20, 24, 20, 12, 0, -12, -20, -24, -20, -12]
const book = (entry) => `# Mean reversion

### dip
- when: z(32) <= ${entry}
- do: hold 100%
- until: z(32) >= 0 or gain <= -1.5% and hour >= 0
- expects: +0.5% within 200
- because: it swings ${HOSTILE}
- asks: until when?
`

export class Town {
  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'bardo-web-'))
    this.children = []
    this.env = {
      ...process.env,
      BARDO_ROOT: root,
      BARDO_KEY_PASSWORD_FILE: join(this.dir, 'password'),
      BARDO_GOLEM_CONFIG: join(root, 'agent/cli/tests/least-hazard.toml'),
    }
    writeFileSync(join(this.dir, 'password'), 'correct horse\n')
    writeFileSync(join(this.dir, 'first.md'), book('-1.25'))
    writeFileSync(join(this.dir, 'second.md'), book('-1.05'))
    const prices = Array.from({ length: 6000 }, (_, at) => 3000 + SWING[Math.floor(at / 3) % 12])
    writeFileSync(join(this.dir, 'swing.csv'), `price\n${prices.join('\n')}\n`)
  }

  bardo(...words) {
    return execFileSync(program, words, { cwd: this.dir, env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** One dead with a testament, and its heir, which has lived a while. */
  live() {
    this.bardo('chain', 'up', '--detach', '--paced', '--seed', '7', '--block-seconds', '40', '--market', `csv:${join(this.dir, 'swing.csv')}`)
    this.about = JSON.parse(this.bardo('chain', 'addresses', '--json'))
    const money = ['--credits', '50', '--capital', '2000', '--gas', '0.02']
    this.bardo('golem', 'create', 'ada', ...money, '--playbook', 'first.md')
    this.bardo('owner', 'profile', 'ada', '--description', HOSTILE.slice(0, 100), '--yes')
    this.bardo('golem', 'run', 'ada', '--speed', '1000000', '--ticks', '120', '--json')
    this.bardo('golem', 'kill', 'ada', '--reason', `enough ${HOSTILE}`, '--yes')
    this.bardo('golem', 'run', 'ada', '--speed', '1000000', '--json')
    this.bardo('grave', 'retire', 'ada')
    this.bardo('line', 'successor', 'ada', '--capital', '1000', '--inherit-grimoire', '--playbook', 'second.md', '--yes')
    this.bardo('golem', 'run', 'ada-1', '--speed', '1000000', '--ticks', '60', '--json')
  }

  /** Lets a Golem live in the background at a speed that a person can follow. */
  run(golem, speed = 200) {
    const words = ['golem', 'run', golem, '--speed', `${speed}`, '--json']
    const child = spawn(program, words, { cwd: this.dir, env: this.env, stdio: 'ignore' })
    this.children.push(child)
    return child
  }

  /** The server; answers its address and its token. */
  async serve() {
    const child = spawn(program, ['web', '--port', '0', '--json'], { cwd: this.dir, env: this.env, stdio: ['ignore', 'pipe', 'inherit'] })
    this.children.push(child)
    let said = ''
    for await (const piece of child.stdout) {
      said += piece
      if (said.includes('\n')) break
    }
    const { address } = JSON.parse(said)
    const [origin, token] = address.split('/#')
    return { address, origin, token, pid: child.pid }
  }

  book(entry) {
    return book(entry)
  }

  account(role) {
    return this.about.accounts.find((one) => one.role === role).address
  }

  async rpc(method, ...params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(this.about.chain.rpc_url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const { result, error } = await answer.json()
    if (error !== undefined) throw new Error(error.message)
    return result
  }

  down() {
    for (const child of this.children) child.kill('SIGTERM')
    try {
      this.bardo('chain', 'down')
    } catch {
      // It was never up.
    }
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

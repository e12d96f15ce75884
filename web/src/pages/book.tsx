import type { JSX } from 'preact'
import { Chart, curve } from '../chart'
import { count, leaning, moment, number, percent, plain } from '../format'
import { useAsked } from '../state'
import type { Claim, Claims as ClaimsTold, Playbook as Told, Rule } from '../types'
import { Badge, Card, Empty, Shown, Stat, Stats, Table, Words } from '../ui'

const COLOURS = ['curve-1', 'curve-3', 'curve-4', 'curve-5', 'curve-6', 'curve-2']

export function Playbook({ golem }: { golem: string }): JSX.Element {
  const asked = useAsked<Told>(`golems/${golem}/playbook`)
  return (
    <main id="main">
      <div class="head"><h1>The PLAYBOOK it acts by</h1></div>
      <Shown of={asked}>{(told) => {
        const drawn = [...told.curves].filter((one) => one.evidence_micros.last.length > 1).slice(0, COLOURS.length)
        return (
          <div class="grid">
            <Card title="Evidence of each rule over its life" note="imaginary wealth that began at 1; above 1 speaks for the rule" wide>
              {drawn.length === 0 ? <Empty>No rule was tried yet: the first look at its market with capital begins that.</Empty> : (
                <Chart label={`Evidence of ${drawn.length} rules over ${told.tick} ticks`} height={240} format={(value) => number(value, 2)}
                  curves={drawn.map((one, place) => curve(told.curves.some((other) => other !== one && other.rule === one.rule) ? `${one.rule} #${one.number}` : one.rule, COLOURS[place] ?? 'curve-2', one.evidence_micros, 1e6))} />
              )}
            </Card>
            <Card title={`Rules of ${told.book.book}`} note={`${told.book.rules.length} tried at tick ${count(told.tick)}`} class="two-thirds">
              {told.book.rules.length === 0 ? <Empty>Nothing is tried yet.</Empty> : told.book.rules.map((rule) => <OneRule key={`${rule.pool}${rule.number}`} rule={rule} />)}
            </Card>
            <Card title="What became of them" class="third">
              {told.steps.length === 0 ? <Empty>No rule has changed its standing.</Empty> : (
                <ol class="log" tabIndex={0} aria-label="changes of rules, newest first">{[...told.steps].reverse().map((step, place) => (
                  <li key={place}><span class="t">{count(step.tick)}</span><span><b><Words>{step.rule}</Words></b> <Words>{step.change}</Words></span></li>
                ))}</ol>
              )}
            </Card>
            <Card title="What its Curator counsels" note={told.counsel.version === 0 ? '' : `version ${told.counsel.version}, tick ${count(told.counsel.tick)}`} wide>
              <Table caption="counsel of the Curator" rows={told.counsel.rules} empty="No rule is written into PLAYBOOK.md yet: one needs ten confirmations."
                columns={[
                  { name: 'when', cell: (row) => <Words>{textOf(row['when'])}</Words> },
                  { name: 'do', cell: (row) => <Words>{textOf(row['do'])}</Words> },
                  { name: 'confidence', right: true, cell: (row) => shareOf(row) },
                ]} />
              {told.versions.length > 0 && (
                <details><summary>{told.versions.length} versions</summary>
                  <Table caption="versions of PLAYBOOK.md" rows={told.versions} empty="" columns={[
                    { name: 'version', cell: (row) => row.version }, { name: 'tick', right: true, cell: (row) => count(row.tick) },
                    { name: 'rules', right: true, cell: (row) => row.rules }, { name: 'written', cell: (row) => moment(row.at) },
                  ]} />
                </details>
              )}
            </Card>
          </div>
        )
      }}</Shown>
    </main>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : Array.isArray(value) ? value.map(textOf).join('; ') : value === null || value === undefined ? '' : JSON.stringify(value))
const shareOf = (row: Record<string, unknown>): string => {
  const key = Object.keys(row).find((name) => name.startsWith('confidence'))
  const value = key === undefined ? undefined : row[key]
  return typeof value === 'number' ? (value > 1 ? percent(value) : number(value)) : textOf(value)
}

function OneRule({ rule }: { rule: Rule }): JSX.Element {
  return (
    <div class="rule">
      <div class="row"><b><Words>{rule.name}</Words></b><Badge tone={rule.standing === 'whole' || rule.standing === 'obeyed' ? 'good' : rule.standing === 'rest' ? 'dead' : 'warn'}>{rule.standing}</Badge>{rule.awake && <Badge tone="stable">awake</Badge>}<span class="note">{rule.from} · {rule.pool}</span></div>
      <p><Words>{rule.says}</Words></p>
      <p class="facts"><span>evidence <b>{number(rule.evidence, 2)}</b></span><span>round trips <b>{count(rule.trips)}</b></span><span>mean return <b class={leaning(rule.mean_return_recent_ppm)}>{percent(rule.mean_return_recent_ppm, 2)}</b></span><span>may lose <b>{number(rule.bound_of_a_loss * 100, 1)}%</b></span></p>
      <details><summary>as it is written</summary><pre><Words>{rule.text}</Words></pre></details>
    </div>
  )
}

export function Claims({ golem }: { golem: string }): JSX.Element {
  const asked = useAsked<ClaimsTold>(`golems/${golem}/claims`)
  return (
    <main id="main">
      <div class="head"><h1>What it said of the future, and what came</h1></div>
      <Shown of={asked}>{(told) => {
        const kinds = [...new Set(told.claims.map((one) => one.about))]
        const judged = told.claims.filter((one) => one.held !== null)
        return (
          <>
            <Stats>
              <Stat label="judged" note="of the newest that are kept">{count(told.claims.length)}</Stat>
              <Stat label="came as said">{judged.length === 0 ? '–' : `${Math.round((judged.filter((one) => one.held).length / judged.length) * 100)}%`}</Stat>
              <Stat label="open now">{count(told.open)}</Stat>
              <Stat label="understanding">{percent(told.understanding_ppm.last.at(-1), 1)}</Stat>
            </Stats>
            {told.claims.length === 0 ? <Empty>Nothing it said has been judged yet. It begins to claim how far its market moves once it has seen it for a while.</Empty> : (
              <div class="grid">
                {kinds.map((kind) => <Kind key={kind} kind={kind} claims={told.claims.filter((one) => one.about === kind && one.said !== null)} />)}
                <Card title="How well it understands its market" wide>
                  <Chart label="The epistemic clock over its life" height={180} format={(value) => `${Math.round(value)}%`} curves={[curve('understanding', 'curve-3', told.understanding_ppm, 1e4, { fill: true })]} />
                </Card>
                <Card title="The newest claims" wide>
                  <Table caption="the newest claims" rows={[...told.claims].reverse().slice(0, 30)} keyOf={(row) => row.number} empty="" columns={[
                    { name: 'judged at', right: true, cell: (row) => count(row.judged) }, { name: 'said at', right: true, cell: (row) => count(row.made) },
                    { name: 'about', cell: (row) => plain(row.about) }, { name: 'said', right: true, cell: (row) => `${number(row.said)} ${row.unit}` },
                    { name: 'came', right: true, cell: (row) => `${number(row.came)} ${row.unit}` },
                    { name: 'right', cell: (row) => row.held === null ? <span class="soft">neither</span> : <span class={row.held ? 'ok' : 'no'}>{row.held ? 'yes' : 'no'}</span> },
                    { name: 'money', cell: (row) => (row.moves_money ? 'followed it' : '') },
                  ]} />
                </Card>
              </div>
            )}
          </>
        )
      }}</Shown>
    </main>
  )
}

function Kind({ kind, claims }: { kind: string; claims: Claim[] }): JSX.Element {
  const sorted = [...claims].sort((a, b) => (a.said ?? 0) - (b.said ?? 0))
  const unit = claims[0]?.unit ?? ''
  // Two claims may say the same: a hair beside each other they are both seen.
  let last = -Infinity
  const x = sorted.map((one) => (last = Math.max(one.said ?? 0, last + Math.abs(last === -Infinity ? 0 : last) * 1e-9 + 1e-12)))
  const of = (held: boolean): (number | null)[] => sorted.map((one) => ((one.held ?? false) === held ? one.came : null))
  return (
    <Card title={`${plain(kind)}: said against came`} note={`${unit}; on the dashed line it came as said`}>
      {claims.length < 2 ? <Empty>Too few to draw.</Empty> : (
        <Chart label={`${claims.length} claims about ${plain(kind)}, said against what came`} height={220} square format={(value) => number(value, 2)} formatX={(value) => number(value, 2)}
          curves={[{ name: 'right', colour: 'good', x, y: of(true), dots: true }, { name: 'wrong', colour: 'bad', x, y: of(false), dots: true }]} />
      )}
    </Card>
  )
}

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { at, Chart, curve, type Mark } from '../chart'
import { count, gain, leaning, moment, percent, plain, short, span, token, usdc } from '../format'
import { to, useAsked } from '../state'
import type { History, Holding, Logged, Portrait, Trade, Why } from '../types'
import { Badge, Card, Empty, Gauge, Shown, Stat, Stats, Table, Words } from '../ui'

export function Life({ golem }: { golem: string }): JSX.Element {
  const portrait = useAsked<Portrait>(`golems/${golem}/portrait`)
  const history = useAsked<History>(`golems/${golem}/history`)
  return (
    <main id="main">
      <Shown of={portrait}>{(told) => (
        <>
          <Head told={told} />
          <Money told={told} />
          <div class="grid">
            <Card title="Capital beside holding the token" note="USDC; drag to look closer, double-click to go back" wide>
              <Shown of={history}>{(past) => <Equity past={past} trades={told.trades} />}</Shown>
            </Card>
            <div class="stack two-thirds">
              <Card title="Vitality and its three clocks">
                <Shown of={history}>{(past) => <Vitality past={past} />}</Shown>
              </Card>
              <Card title="Why it last decided as it did" note={<a href={to('golem', golem, 'why')}>at another tick</a>}>
                <Reasons why={told.why} />
              </Card>
              <Card title="What happened" note={`the last ${told.log.length} lines`}><Log lines={told.log} /></Card>
            </div>
            <Card title="Now" class="third"><Now told={told} /></Card>
            <Card title="Trades" note={`the newest ${Math.min(told.trades.length, 60)}`} wide><Trades golem={golem} trades={told.trades.slice(0, 60)} /></Card>
          </div>
        </>
      )}</Shown>
    </main>
  )
}

export function Head({ told }: { told: Portrait }): JSX.Element {
  const { life } = told
  return (
    <div class="head">
      <h1>{life.life === 'dead' ? '† ' : ''}<Words>{told.golem}</Words></h1>
      <Badge>{life.life}</Badge>
      {life.life !== 'dead' && <Badge>{life.phase}</Badge>}
      <p class="note">{told.place} · tick {count(life.tick)} · {life.process === null ? 'nobody lives it now' : `process ${life.process} lives it`} · last tick {moment(life.last_seen)}{life.death !== null && ` · died of ${plain(life.death)}`}</p>
    </div>
  )
}

const known = (holding: Holding | null): Holding | null => (holding === null || holding.error !== undefined ? null : holding)

function Money({ told }: { told: Portrait }): JSX.Element {
  const { life } = told
  const holding = known(life.holding)
  const profit = life.hand?.profit ?? null
  return (
    <Stats>
      <Stat label={life.life === 'dead' ? 'capital at its end' : 'capital is worth'} note={holding === null ? (life.holding?.error ?? 'not looked at yet') : `put in ${usdc(holding.put_in_usdc_micros)}`}>{usdc(holding?.equity_usdc_micros)}</Stat>
      <Stat label="made after everything" note={profit === null ? '' : `${profit.won} of ${profit.closed} round trips won`} class={leaning(holding?.after_everything_usdc_micros)}>{gain(holding?.after_everything_usdc_micros)}</Stat>
      <Stat label="ahead of holding" note={`holding made ${gain(holding?.held_made_usdc_micros)}`} class={leaning(holding?.ahead_usdc_micros)}>{gain(holding?.ahead_usdc_micros)}</Stat>
      <Stat label="credits" note={`last ${span(life.clocks.credits_last_ticks)}`}>{usdc(life.credits_usdc_micros.spendable)}</Stat>
      <Stat label="vitality" note={`${life.phase}; ${count(life.counts?.transactions)} transactions`}>{percent(life.vitality_ppm, 1)}</Stat>
    </Stats>
  )
}

export function fills(trades: Trade[], height: (tick: number) => number | null): Mark[] {
  const landed = trades.filter((trade) => trade.moved_usdc_micros !== null)
  return landed.map((trade) => ({ x: trade.tick, y: height(trade.tick), kind: (trade.moved_usdc_micros ?? 0) < 0 ? 'bought' : 'sold' }))
}

function Equity({ past, trades }: { past: History; trades: Trade[] }): JSX.Element {
  if (past.equity_usdc_micros.last.length < 2) return <Empty>Its capital was not looked at often enough to draw a curve yet.</Empty>
  const height = (tick: number): number | null => {
    const micros = at(past.equity_usdc_micros, tick)
    return micros === null ? null : micros / 1e6
  }
  const worth = past.equity_usdc_micros.last.at(-1) ?? 0
  return (
    <>
      <Chart label={`Capital from tick ${past.equity_usdc_micros.from_tick[0]} to ${past.tick}: ${usdc(worth)} USDC now; ${trades.length} trades`} height={280} format={(value) => value.toLocaleString('en-US', { maximumFractionDigits: 2 })} phases={past.phases} marks={fills(trades, height)}
        curves={[curve('its capital', 'curve-1', past.equity_usdc_micros, 1e6, { fill: false, width: 2 }), curve('holding', 'curve-2', past.held_usdc_micros, 1e6, { dash: true })]} />
      <Legend phases={past.phases.map((one) => one.phase)} has={['bought', 'sold']} />
    </>
  )
}

export function Legend(props: { phases?: string[]; has?: string[] }): JSX.Element {
  const names: Record<string, string> = { bought: 'bought', sold: 'sold', died: 'somebody died', recalled: 'looked like a death', sensed: 'a sign in the air' }
  return (
    <ul class="legend">
      {(props.has ?? []).map((one) => <li key={one}><i class={`key-${one}`} />{names[one]}</li>)}
      {[...new Set(props.phases ?? [])].map((phase) => <li key={phase}><i class={`key-${phase.toLowerCase()}`} />{phase}</li>)}
    </ul>
  )
}

function Vitality({ past }: { past: History }): JSX.Element {
  if (past.vitality_ppm.last.length < 2) return <Empty>It has not lived two ticks yet.</Empty>
  return (
    <Chart label={`Vitality and clocks over ${past.tick} ticks; vitality now ${percent(past.vitality_ppm.last.at(-1))}`} height={230} format={(value) => `${Math.round(value)}%`} phases={past.phases}
      curves={[
        curve('vitality', 'curve-1', past.vitality_ppm, 1e4, { width: 2 }), curve('economic', 'curve-5', past.economic_ppm, 1e4),
        curve('epistemic', 'curve-3', past.epistemic_ppm, 1e4), curve('survival', 'curve-4', past.survival_ppm, 1e4, { dash: true }),
      ]} />
  )
}

function Now({ told }: { told: Portrait }): JSX.Element {
  const { life } = told
  const { clocks, hand } = life
  const credits = Object.entries(life.credits_usdc_micros).filter(([name]) => name !== 'spendable')
  const most = Math.max(1, ...credits.map(([, micros]) => micros))
  return (
    <>
      <div class="gauges">
        <Gauge label="vitality" ppm={life.vitality_ppm} />
        <Gauge label="economic clock" ppm={clocks.economic_ppm} />
        <Gauge label="epistemic clock" ppm={clocks.epistemic_ppm} />
        <Gauge label="came this far by chance" ppm={clocks.survival * 1e6} />
        {credits.map(([name, micros]) => <Gauge key={name} class="plain" label={`credits, ${name}`} ppm={(micros / most) * 1e6} note={usdc(micros)} />)}
      </div>
      <ul class="why">
        {told.standing.has.map((one) => <li key={one}><Words>{one}</Words></li>)}
        <li><Words>{told.standing.costs}</Words></li>
        <li><Words>{told.standing.waits}</Words></li>
        {hand !== null && <li>acts by <Words>{hand.book}</Words>, regime {plain(hand.regime)}, {hand.predictions_open} claims open{hand.blind && ', blind'}</li>}
        {hand?.positions.map((one) => <li key={one.id}>liquidity {one.id} in {one.pool}: {usdc(one.worth_usdc_micros)}, fees {usdc(one.fees_usdc_micros)}</li>)}
        {life.open_effects.map((one, place) => <li key={place}>on its way since tick {one.tick}: {one.kind}</li>)}
      </ul>
    </>
  )
}

export function Reasons({ why }: { why: Why[] }): JSX.Element {
  if (why.length === 0) return <Empty>It has not looked at its market with capital yet.</Empty>
  return (
    <>{why.map((one) => (
      <div key={one.pool}>
        {why.length > 1 && <h3 class="soft">in {one.pool}</h3>}
        <ul class="why">{one.words.map((words, place) => <li key={place}><Words>{words}</Words></li>)}</ul>
      </div>
    ))}</>
  )
}

function Log({ lines }: { lines: Logged[] }): JSX.Element {
  if (lines.length === 0) return <Empty>Nothing has happened yet that is worth a line.</Empty>
  return (
    <ol class="log" tabIndex={0} aria-label="what happened, newest first">
      {[...lines].reverse().map((one, place) => <li key={`${one.tick}-${lines.length - place}`}><span class="t" title={moment(one.time)}>{count(one.tick)}</span><Words>{one.words}</Words></li>)}
    </ol>
  )
}

export function Trades({ golem, trades }: { golem: string; trades: Trade[] }): JSX.Element {
  return (
    <Table caption="trades, newest first" rows={trades} keyOf={(row) => row.effect} empty="It has not traded yet; why it does not is said above."
      columns={[
        { name: 'tick', cell: (row) => <a href={to('golem', golem, 'why', row.tick)} title={moment(row.time)}>{count(row.tick)}</a> },
        { name: 'order', cell: (row) => plain(row.order) },
        { name: 'pool', cell: (row) => row.pool },
        { name: 'result', cell: (row) => <Words>{row.result}</Words> },
        { name: 'USDC', right: true, cell: (row) => gain(row.moved_usdc_micros) },
        { name: 'token', right: true, cell: (row) => row.amount_token_units === null ? '–' : <>{token(row.amount_token_units, row.decimals)} <Words>{row.symbol}</Words></> },
        { name: 'said', right: true, cell: (row) => gain(row.predicted_usdc_micros) },
        { name: 'came', right: true, cell: (row) => gain(row.returned_usdc_micros) },
        { name: 'fee', right: true, cell: (row) => usdc(row.pool_fee_usdc_micros) },
        { name: 'gas', right: true, cell: (row) => usdc(row.gas_usdc_micros) },
        { name: 'net', right: true, class: (row) => leaning(row.net_usdc_micros), cell: (row) => gain(row.net_usdc_micros) },
        { name: 'transaction', cell: (row) => row.tx === null ? '–' : <a class="mono" href={to('golem', golem, 'chain', 'tx', row.tx)}>{short(row.tx)}</a> },
      ]} />
  )
}

export function WhyAt({ golem, tick }: { golem: string; tick: string | undefined }): JSX.Element {
  const [typed, type] = useState(tick ?? '')
  const asked = useAsked<{ tick: number; book: string; pools: Why[] }>(`golems/${golem}/why${tick === undefined ? '' : `?tick=${encodeURIComponent(tick)}`}`, tick === undefined)
  return (
    <main id="main">
      <div class="head"><h1>Why it decided as it did</h1></div>
      <Card title="At which tick">
        <form class="bar-form" onSubmit={(event) => { event.preventDefault(); location.hash = to('golem', golem, 'why', typed).slice(1) }}>
          <label>tick<input type="text" inputMode="numeric" value={typed} onInput={(event) => type(event.currentTarget.value)} /></label>
          <button class="main" type="submit">look</button>
        </form>
      </Card>
      <Shown of={asked}>{(told) => <Card title={`At tick ${count(told.tick)}, by ${told.book}`}><Reasons why={told.pools} /></Card>}</Shown>
    </main>
  )
}

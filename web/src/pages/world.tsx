import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { at, Chart, curve, type Mark, type Series } from '../chart'
import { count, day, gain, harmless, leaning, moment, percent, plain, short, span, usdc } from '../format'
import { to, useAsked } from '../state'
import type { Clade as CladeTold, Costs as CostsTold, Family, Lineage as LineageTold, Market as MarketTold, Member } from '../types'
import { Badge, Card, Empty, Gauge, Prose, Shown, Stat, Stats, Table, Words } from '../ui'
import { fills, Legend, Trades } from './life'

/** The tick of a time; nothing where this life did not look then. */
function tickAt(times: Series, seconds: number): number | null {
  const last = times.last.length - 1
  if (last < 0 || seconds < (times.least[0] ?? 0) || seconds > (times.last[last] ?? 0) + 3600) return null
  for (let place = 0; place <= last; place++) if ((times.last[place] ?? 0) >= seconds) return times.from_tick[place] ?? null
  return times.from_tick[last] ?? null
}

export function Market({ golem }: { golem: string }): JSX.Element {
  const asked = useAsked<MarketTold>(`golems/${golem}/market`)
  return (
    <main id="main">
      <div class="head"><h1>Its market</h1></div>
      <Shown of={asked}>{(told) => {
        const height = (tick: number): number | null => {
          const micros = at(told.price_usdc_micros, tick)
          return micros === null ? null : micros / 1e6
        }
        const deaths = told.stains.flatMap((stain): Mark[] => {
          const tick = stain.own ? stain.ticks : tickAt(told.time_seconds, Date.parse(stain.at) / 1000)
          return tick === null ? [] : [{ x: tick, y: null, kind: 'died' }]
        })
        const recalled = told.recalled.map((one): Mark => ({ x: one.tick, y: null, kind: 'recalled' }))
        const sensed = told.sensed.map((one): Mark => ({ x: one.tick, y: null, kind: 'sensed' }))
        return (
          <div class="grid">
            <Card title="Price of its home pool" note="USDC a token, as it looked" wide>
              {told.price_usdc_micros.last.length < 2 ? <Empty>It has not looked at its market twice yet.</Empty> : (
                <>
                  <Chart label={`Price over ${told.tick} ticks with ${told.trades.length} trades, ${deaths.length} deaths and ${sensed.length} signs`} height={320} format={(value) => value.toLocaleString('en-US', { maximumFractionDigits: 2 })}
                    curves={[curve('price', 'curve-3', told.price_usdc_micros, 1e6)]} marks={[...fills(told.trades, height), ...deaths, ...recalled, ...sensed]} />
                  <Legend has={['bought', 'sold', 'died', 'recalled', 'sensed']} />
                </>
              )}
            </Card>
            <Card title="Bloodstains" note="deaths on this machine, and what they warn of" wide>
              {told.stains.length === 0 ? <Empty>Nobody of this machine has died. Where one does, its mark stands here and on the chart.</Empty> : (
                <Table caption="bloodstains" rows={[...told.stains].reverse()} empty="" columns={[
                  { name: 'who', cell: (row) => <Words>{row.golem}</Words> }, { name: 'of', cell: (row) => plain(row.cause) }, { name: 'when', cell: (row) => moment(row.at) },
                  { name: 'regime', cell: (row) => (row.regime === null ? 'unknown' : plain(row.regime)) }, { name: 'ticks', right: true, cell: (row) => count(row.ticks) },
                  { name: 'made', right: true, class: (row) => leaning(row.net_usdc_micros), cell: (row) => gain(row.net_usdc_micros) },
                  { name: 'it said', cell: (row) => <><Words>{row.excerpt}</Words>{row.warnings.length > 0 && <ul class="why">{row.warnings.map((one, place) => <li key={place}><Words>{one}</Words></li>)}</ul>}</> },
                ]} />
              )}
            </Card>
            {told.recalled.length > 0 && <Card title="When it looked like a market that somebody died of" wide><Table caption="recollections" rows={[...told.recalled].reverse()} empty="" columns={[{ name: 'tick', right: true, cell: (row) => count(row.tick) }, { name: 'pool', cell: (row) => row.pool }, { name: 'died of', cell: (row) => plain(row.died_of) }, { name: 'died', cell: (row) => moment(row.died) }]} /></Card>}
            {told.sensed.length > 0 && <Card title="Signs in the air" note="left by siblings; nobody knows by whom" wide><Table caption="signs" rows={[...told.sensed].reverse()} empty="" columns={[{ name: 'tick', right: true, cell: (row) => count(row.tick) }, { name: 'sign', cell: (row) => plain(row.class.toLowerCase()) }, { name: 'about', cell: (row) => plain(row.domain) }, { name: 'strength', right: true, cell: (row) => percent(row.intensity_ppm) }, { name: 'confirmed by', right: true, cell: (row) => count(row.confirmations) }]} /></Card>}
            <Card title="What it did in it" wide><Trades golem={golem} trades={told.trades.slice(0, 40)} /></Card>
          </div>
        )
      }}</Shown>
    </main>
  )
}

export function Clade({ golem }: { golem: string }): JSX.Element {
  const asked = useAsked<CladeTold>(`golems/${golem}/clade`)
  return (
    <main id="main">
      <div class="head"><h1>Its Clade</h1></div>
      <Shown of={asked}>{(told) => (
        <div class="grid">
          <Card title="Where it stands with its siblings">
            <Stats>
              <Stat label="siblings in reach">{told.in_reach === null ? 'unknown' : count(told.in_reach)}</Stat>
              <Stat label="shared">{count(told.shared)}</Stat>
              <Stat label="rules of siblings on trial">{count(told.borrowed)}</Stat>
              {told.wire !== null && <><Stat label="words sent">{count(told.wire.sent)}</Stat><Stat label="words waiting">{count(told.wire.waiting)}</Stat><Stat label="line">{plain(told.wire.breaker)}</Stat></>}
            </Stats>
            {told.wire === null ? <p>It has no relay; siblings of its process hear it all the same.</p> : told.wire.trouble !== null && <p>Last trouble: <Words>{told.wire.trouble}</Words></p>}
          </Card>
          <Card title="In the air" note="left by siblings; nobody knows by whom">
            {told.air.length === 0 ? <Empty>Nothing is in the air where it is.</Empty> : <Table caption="signs in the air" rows={told.air} empty="" columns={[{ name: 'sign', cell: (row) => plain(row.class.toLowerCase()) }, { name: 'about', cell: (row) => plain(row.domain) }, { name: 'strength', right: true, cell: (row) => percent(row.intensity_ppm) }, { name: 'confirmed by', right: true, cell: (row) => count(row.confirmations) }]} />}
          </Card>
          <Card title="Siblings" note="what each of them told it" wide>
            {told.siblings.length === 0 ? <Empty>It has not heard of a sibling yet.</Empty> : (
              <Table caption="siblings" rows={told.siblings} empty="" columns={[
                { name: 'who', cell: (row) => <Words>{row.who}</Words> }, { name: 'life', cell: (row) => <>{row.life}{row.died_of !== null && `, of ${plain(row.died_of)}`}</> },
                { name: 'mortality', cell: (row) => (row.mode === null ? 'not known' : plain(row.mode)) },
                { name: 'entries', right: true, cell: (row) => count(row.entries) }, { name: 'rules', right: true, cell: (row) => count(row.rules) },
                { name: 'warnings', right: true, cell: (row) => count(row.warnings) }, { name: 'crises', right: true, cell: (row) => count(row.crises) },
                { name: 'answers', right: true, cell: (row) => count(row.answers) }, { name: 'last heard', cell: (row) => (row.last === null ? 'never' : moment(row.last)) },
              ]} />
            )}
          </Card>
        </div>
      )}</Shown>
    </main>
  )
}

export function Costs({ golem }: { golem: string }): JSX.Element {
  const asked = useAsked<CostsTold>(`golems/${golem}/costs`)
  return (
    <main id="main">
      <div class="head"><h1>What living costs</h1></div>
      <Shown of={asked}>{(told) => {
        const { profit } = told
        const parts = profit === null ? [] : ([['pool fees', profit.fees_usdc_micros], ['price impact', Math.max(0, profit.impact_usdc_micros)], ['gas', profit.gas_usdc_micros], ['upkeep', profit.upkeep_usdc_micros]] as const)
        const most = Math.max(1, ...parts.map(([, micros]) => micros))
        const credits = Object.entries(told.credits_usdc_micros).filter(([name]) => name !== 'spendable')
        // Of ticks that are drawn as one, the dearest.
        const all: Series = { ...told.each_tick_usdc_micros, last: told.each_tick_usdc_micros.greatest }
        return (
          <>
            <Stats>
              <Stat label="given to live on">{usdc(told.funded_usdc_micros)}</Stat>
              <Stat label="spent on living">{usdc(told.spent_usdc_micros)}</Stat>
              <Stat label="burns a day">{usdc(told.burn_per_day_usdc_micros)}</Stat>
              <Stat label="credits last" note={`${usdc(told.credits_usdc_micros.spendable)} spendable`}>{span(told.credits_last_ticks)}</Stat>
              <Stat label="locked for its death">{usdc(told.reserve_usdc_micros)}</Stat>
            </Stats>
            <div class="grid">
              <Card title="Where it went" note="USDC, over its life">
                {profit === null ? <Empty>It has no hand on a market.</Empty> : <><div class="gauges">{parts.map(([name, micros]) => <Gauge key={name} class="plain" label={name} ppm={(micros / most) * 1e6} note={usdc(micros)} />)}</div><p><Words>{profit.told}</Words></p></>}
              </Card>
              <Card title="What is left, by partition"><div class="gauges">{credits.map(([name, micros]) => <Gauge key={name} class="plain" label={name} ppm={(micros / Math.max(1, ...credits.map(([, one]) => one))) * 1e6} note={usdc(micros)} />)}</div></Card>
              <Card title="Credits that ticks consumed" note="USDC a tick" wide>
                {told.each_tick_usdc_micros.last.length < 2 ? <Empty>It has not lived two ticks yet.</Empty> : <Chart label={`Credits consumed over ${told.tick} ticks`} height={200} format={(value) => value.toFixed(3)} curves={[curve('in a tick', 'curve-1', all, 1e6, { fill: true })]} />}
              </Card>
              {told.purchases !== null && <Card title="Data it buys" note={`${usdc(told.purchases.spent_today_usdc_micros)} of ${usdc(told.purchases.per_day_usdc_micros)} today`} wide><Table caption="payments" rows={told.purchases.last} empty="Nothing was bought yet." columns={[{ name: 'paid', cell: (row) => <Words>{row.host}</Words> }, { name: 'amount', right: true, cell: (row) => usdc(row.amount_usdc_micros) }, { name: 'state', cell: (row) => row.state }]} /></Card>}
            </div>
          </>
        )
      }}</Shown>
    </main>
  )
}

export function Line({ golem }: { golem: string }): JSX.Element {
  const family = useAsked<Family>(`golems/${golem}/lineage`)
  const [isProved, prove] = useState(false)
  return (
    <main id="main">
      <div class="head"><h1>Its line</h1></div>
      <Shown of={family}>{(told) => (
        <div class="grid">
          <Card title={told.lineage === null ? 'On paper' : `Lineage ${told.lineage}`} note="as this machine knows it" wide>
            {told.members.length === 0 ? <Empty>Who lives on paper has no line: no chain knows of it, and nobody can follow.</Empty> : <ol class="tree">{told.members.map((one) => <Relative key={one.agent} one={one} />)}</ol>}
          </Card>
          {told.lineage !== null && <ByChain golem={golem} isProved={isProved} prove={() => prove(true)} />}
        </div>
      )}</Shown>
    </main>
  )
}

function Relative({ one }: { one: Member }): JSX.Element {
  const isDead = one.life === 'dead'
  return (
    <li class={isDead ? 'dead' : ''}>
      <span class="stem" />
      <div class="body">
        <div class="row"><b>{isDead ? '† ' : ''}<a href={to('golem', one.name, 'life')}><Words>{one.name}</Words></a></b><Badge>{one.life}</Badge>{one.own && <Badge tone="stable">this one</Badge>}<span class="note">generation {one.generation} · agent {one.agent} · born {day(one.born)} with {usdc(one.credits_usdc_micros)} + {usdc(one.capital_usdc_micros)}</span></div>
        {one.grave !== null && (
          <>
            <p class="facts"><span>died of <b>{plain(one.grave.cause ?? 'unknown')}</b></span><span>after <b>{count(one.grave.ticks)}</b> ticks</span><span>{one.grave.testament ? 'left a testament' : 'left no testament'}{one.grave.bundle ? ' and a bundle' : ''}</span></p>
            {one.grave.advice?.adjustments.map((advice, place) => <p key={place} class="inline">It advises to {plain(advice.verb)} <Words>{advice.what}</Words>: <Words>{advice.rationale}</Words></p>)}
            {typeof one.testament === 'string' && <details><summary>its testament</summary><Prose text={one.testament} /></details>}
            {one.testament !== null && typeof one.testament === 'object' && <p class="note"><Words>{one.testament.error}</Words></p>}
          </>
        )}
      </div>
    </li>
  )
}

function ByChain(props: { golem: string; isProved: boolean; prove: () => void }): JSX.Element {
  const asked = useAsked<LineageTold>(`golems/${props.golem}/chronicle${props.isProved ? '?verify=true' : ''}`, false)
  return (
    <Card title="The same by the chain's logs alone" note={asked.told === null ? '' : `up to block ${count(asked.told.block)}`} wide>
      <Shown of={asked} quiet>{(told) => (
        <>
          <Table caption="members of the line by the chain" rows={told.members} empty="The chain knows nobody of it yet." columns={[
            { name: 'generation', right: true, cell: (row) => row.generation }, { name: 'agent', right: true, cell: (row) => row.agent }, { name: 'life', cell: (row) => <Badge>{row.life}</Badge> },
            { name: 'ticks', right: true, cell: (row) => count(row.ticks) }, { name: 'born', cell: (row) => moment(row.born) }, { name: 'cause', cell: (row) => plain(row.cause ?? '–') },
            { name: 'testament', cell: (row) => <span class="mono">{row.testament === null ? '–' : short(row.testament)}</span> }, { name: 'owner', cell: (row) => <span class="mono">{short(row.owner)}</span> },
          ]} />
          {told.line.generations.length > 0 && <p class="facts">{told.line.generations.map((one, place) => <span key={place}>generation {String(one['generation'])}: <b>{harmless(plain(String(one['band'])))}</b>, reputation <b>{percent(one['reputation_ppm'] as number)}</b>, net <b>{gain(one['net_usdc_micros'] as number)}</b></span>)}</p>}
          {told.checks === null ? <p><button type="button" onClick={props.prove}>prove it: births, deaths, testaments, outcome roots, rolls</button></p> : (
            <>
              <p><b class={told.holds === true ? 'ok' : 'no'}>{told.holds === true ? `All ${told.checks.length} checks hold.` : 'Something does not hold.'}</b></p>
              <Table caption="proof" rows={told.checks} empty="" columns={[{ name: 'holds', cell: (row) => <span class={row.ok ? 'ok' : 'no'}>{row.ok ? 'yes' : 'no'}</span> }, { name: 'agent', right: true, cell: (row) => row.agent }, { name: 'what', cell: (row) => row.name }, { name: 'found', cell: (row) => <Words>{row.detail}</Words> }]} />
            </>
          )}
        </>
      )}</Shown>
    </Card>
  )
}

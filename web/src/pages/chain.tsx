import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { count, ether, moment, short } from '../format'
import { to, useAsked } from '../state'
import type { Block as BlockTold, ChainEvent, Explorer as Told, Named, OnChain, Said, Transaction as TransactionTold } from '../types'
import { Badge, Card, Empty, Shown, Stat, Stats, Table, Words } from '../ui'
import { Facts } from './mind'

export function Explorer({ golem }: { golem: string }): JSX.Element {
  const [newest, turn] = useState<number | null>(null)
  const asked = useAsked<Told>(`golems/${golem}/explorer${newest === null ? '' : `?newest=${newest}`}`, newest === null)
  const identity = useAsked<OnChain>(`golems/${golem}/chain`)
  return (
    <main id="main">
      <div class="head"><h1>The chain it lives on</h1></div>
      <Shown of={asked} quiet>{(told) => (
        <>
          <Stats>
            <Stat label="chain" note={told.local ? 'of this machine' : told.link === null ? 'no public explorer is known' : <Outside href={told.link}>public explorer</Outside>}>{told.chain}</Stat>
            <Stat label="chain id">{told.chain_id}</Stat>
            <Stat label="newest block">{count(told.head)}</Stat>
            <Stat label="believed after" note="blocks behind it">{told.confirmations}</Stat>
          </Stats>
          <div class="grid">
            <div class="stack">
              <Find golem={golem} />
              <Card title="Where the suite stands">
                <dl class="parts">{told.contracts.map((one) => <Place key={one.name} name={one.name} address={one.address} link={told.link} />)}{told.vaults.map((one) => one.vault !== null && <Place key={one.name} name={`vault of ${one.name}`} address={one.vault} link={told.link} />)}</dl>
              </Card>
            </div>
            <Identity asked={identity} />
            <Card title="What the suite said" note="newest first, by name" wide><Events golem={golem} events={told.said} empty="The suite has not said anything in these blocks." isListed /></Card>
            <Card title="Blocks" wide>
              <Table caption="newest blocks" rows={told.blocks} keyOf={(row) => row.number} empty="No block is there yet." columns={[
                { name: 'block', cell: (row) => <a href={to('golem', golem, 'chain', 'block', row.number)}>{count(row.number)}</a> }, { name: 'time', cell: (row) => <span class="num">{moment(row.time)}</span> },
                { name: 'transactions', right: true, cell: (row) => row.count }, { name: 'of the suite', right: true, cell: (row) => (row.of_suite === 0 ? '–' : row.of_suite) }, { name: 'gas', right: true, cell: (row) => count(row.gas_used) },
              ]} />
              <div class="bar-form"><button type="button" disabled={newest === null} onClick={() => turn(null)}>newest</button><button type="button" disabled={(told.blocks.at(-1)?.number ?? 0) === 0} onClick={() => turn((told.blocks.at(-1)?.number ?? 1) - 1)}>older</button></div>
            </Card>
          </div>
        </>
      )}</Shown>
    </main>
  )
}

const Outside = (props: { href: string; children: string }): JSX.Element => <a href={props.href} rel="noreferrer noopener" target="_blank">{props.children}</a>

const Place = (props: { name: string; address: string; link: string | null }): JSX.Element => (
  <><dt><Words>{props.name}</Words></dt><dd>{props.link === null ? props.address : <Outside href={`${props.link}/address/${props.address}`}>{props.address}</Outside>}</dd></>
)

function Find({ golem }: { golem: string }): JSX.Element {
  const [typed, type] = useState('')
  const [wrong, complain] = useState('')
  const go = (): void => {
    const wanted = typed.trim()
    if (/^0x[0-9a-fA-F]{64}$/.test(wanted)) location.hash = to('golem', golem, 'chain', 'tx', wanted).slice(1)
    else if (/^[\d,]+$/.test(wanted)) location.hash = to('golem', golem, 'chain', 'block', wanted.replace(/,/g, '')).slice(1)
    else complain('Write the number of a block, or the hash of a transaction: 0x and 64 digits.')
  }
  return (
    <Card title="Look for a block or a transaction">
      <form class="bar-form" onSubmit={(event) => { event.preventDefault(); go() }}>
        <label>number or hash<input type="text" value={typed} onInput={(event) => { type(event.currentTarget.value); complain('') }} /></label>
        <button class="main" type="submit">look</button>
      </form>
      {wrong !== '' && <p class="trouble soft" role="alert">{wrong}</p>}
    </Card>
  )
}

function Identity(props: { asked: ReturnType<typeof useAsked<OnChain>> }): JSX.Element {
  return (
    <Card title="As the registries say it">
      <Shown of={props.asked} quiet>{(told) => (
        <>
          {told.profile.error === undefined ? <Facts of={told.profile} but={['image', 'besides']} /> : <p class="note"><Words>{told.profile.error}</Words></p>}
          {told.status.error === undefined ? <details open><summary>its vault and its life</summary><Facts of={told.status} but={['pools', 'tokens']} /></details> : <p class="trouble soft"><Words>{told.status.error}</Words></p>}
          {told.link !== null && <Outside href={told.link}>its vault at the public explorer</Outside>}
        </>
      )}</Shown>
    </Card>
  )
}

export const Who = ({ one }: { one: Named }): JSX.Element => <span class="mono" title={one.address}>{one.name === null ? short(one.address) : <Words>{one.name}</Words>}</span>

export function Decoded({ said }: { said: Said }): JSX.Element {
  return (
    <dl class="parts">{said.parts.map((part, place) => <DecodedPart key={place} name={part.name === '' ? part.kind : part.name} value={part.value} />)}</dl>
  )
}
/** The same in a line: what is long is cut, and whole on the page of its transaction. */
const Flow = ({ said }: { said: Said }): JSX.Element => (
  <span class="flow">{said.parts.map((part, place) => <span key={place}><i>{part.name}</i> <Words>{/^0x[0-9a-fA-F]{16,}$/.test(part.value) ? short(part.value) : part.value.length > 80 ? `${part.value.slice(0, 80)}…` : part.value}</Words></span>)}</span>
)
const DecodedPart = (props: { name: string; value: string }): JSX.Element => <><dt>{props.name}</dt><dd><Words>{props.value}</Words></dd></>

function Events(props: { golem: string; events: ChainEvent[]; empty: string; isListed?: boolean }): JSX.Element {
  return (
    <Table caption="events" rows={props.events} empty={props.empty} columns={[
      ...(props.isListed === true ? [
        { name: 'block', cell: (row: ChainEvent) => <a href={to('golem', props.golem, 'chain', 'block', row.block)} title={moment(row.time)}>{count(row.block)}</a> },
        { name: 'transaction', cell: (row: ChainEvent) => <a class="mono" href={to('golem', props.golem, 'chain', 'tx', row.tx)}>{short(row.tx)}</a> },
      ] : []),
      { name: 'by', cell: (row) => <Who one={row.by} /> },
      { name: 'said', cell: (row) => (row.said === null ? <span class="mono soft">{row.topic === null ? 'no name' : short(row.topic)}</span> : <b>{row.said.name}</b>) },
      { name: 'of what', cell: (row) => (row.said === null ? '' : props.isListed === true ? <Flow said={row.said} /> : <Decoded said={row.said} />) },
    ]} />
  )
}

const Stands = ({ one }: { one: TransactionTold }): JSX.Element => (one.succeeded === null ? <Badge tone="warn">{one.block === null ? 'waits' : 'in a block'}</Badge> : one.succeeded ? <Badge tone="good">stands</Badge> : <Badge tone="bad">refused</Badge>)

export function Block({ golem, number }: { golem: string; number: string }): JSX.Element {
  const asked = useAsked<BlockTold>(`golems/${golem}/blocks/${number}`, false)
  return (
    <main id="main">
      <div class="head"><h1>Block {number}</h1><p class="note"><a href={to('golem', golem, 'chain')}>back to the chain</a></p></div>
      <Shown of={asked}>{(told) => (
        <>
          <Stats><Stat label="time">{moment(told.time)}</Stat><Stat label="gas">{count(told.gas_used)}</Stat><Stat label="base fee">{ether(told.base_fee_wei)}</Stat><Stat label="transactions" note={`${told.of_suite} of the suite`}>{told.count}</Stat></Stats>
          <Card title="Block"><dl class="parts"><dt>hash</dt><dd>{told.hash}</dd><dt>parent</dt><dd>{told.number > 0 ? <a href={to('golem', golem, 'chain', 'block', told.number - 1)}>{told.parent}</a> : told.parent}</dd></dl>{told.link !== null && <Outside href={told.link}>at the public explorer</Outside>}</Card>
          <Card title="Transactions">
            <Table caption="transactions of the block" rows={told.transactions} keyOf={(row) => row.hash} empty="Nothing is in it." columns={[
              { name: 'transaction', cell: (row) => <a class="mono" href={to('golem', golem, 'chain', 'tx', row.hash)}>{short(row.hash)}</a> }, { name: '', cell: (row) => <Stands one={row} /> },
              { name: 'from', cell: (row) => <Who one={row.from} /> }, { name: 'to', cell: (row) => (row.to === null ? 'a new contract' : <Who one={row.to} />) },
              { name: 'call', cell: (row) => (row.call === null ? <span class="soft">{row.input_bytes === 0 ? 'coin alone' : `${row.input_bytes} bytes`}</span> : <b>{row.call.name}</b>) },
              { name: 'gas', right: true, cell: (row) => count(row.gas_used) }, { name: 'events', right: true, cell: (row) => row.events.length },
            ]} />
          </Card>
        </>
      )}</Shown>
    </main>
  )
}

export function Transaction({ golem, hash }: { golem: string; hash: string }): JSX.Element {
  const asked = useAsked<TransactionTold>(`golems/${golem}/transactions/${hash}`, false)
  return (
    <main id="main">
      <div class="head"><h1>Transaction</h1>{asked.told !== null && <Stands one={asked.told} />}<p class="note mono">{hash}</p></div>
      <Shown of={asked}>{(told) => (
        <>
          {told.refusal !== null && <p class="trouble">Refused: <Words>{told.refusal}</Words></p>}
          <Stats><Stat label="block">{told.block === null ? 'waits' : <a href={to('golem', golem, 'chain', 'block', told.block)}>{count(told.block)}</a>}</Stat><Stat label="gas">{count(told.gas_used)}</Stat><Stat label="cost">{ether(told.cost_wei)}</Stat><Stat label="value">{ether(told.value_wei)}</Stat></Stats>
          <div class="grid">
            <Card title="Who called whom"><dl class="parts"><dt>from</dt><dd><Who one={told.from} /> <span class="soft">{told.from.address}</span></dd><dt>to</dt><dd>{told.to === null ? 'a new contract' : <><Who one={told.to} /> <span class="soft">{told.to.address}</span></>}</dd></dl>{told.link !== null && <Outside href={told.link}>at the public explorer</Outside>}</Card>
            <Card title={told.call === null ? 'With what' : `With ${told.call.name} of ${told.call.contract || 'a token'}`}>{told.call === null ? <Empty>{told.input_bytes === 0 ? 'It sends coin alone.' : `${told.input_bytes} bytes that nobody here can read.`}</Empty> : told.call.parts.length === 0 ? <p class="note">without anything</p> : <Decoded said={told.call} />}</Card>
            <Card title="What was said" wide><Events golem={golem} events={told.events} empty="Nothing was said." /></Card>
          </div>
        </>
      )}</Shown>
    </main>
  )
}

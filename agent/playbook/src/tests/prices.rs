use super::*;

const TERMS: Terms =
    Terms { fee_ppm: 500, gas: Usdc::from_micros(20_000), liquidity: Usdc::ZERO, capital: Usdc::whole(1_000) };

fn times_and_prices(text: &str) -> Vec<(u64, u64)> {
    let read = read(text, &TERMS).expect("it can be read");
    read.looks.iter().map(|look| (look.time, look.price.micros())).collect()
}

#[test]
fn p_083_columns_are_found_by_header_and_times_in_many_spellings_are_one() {
    let wanted = vec![(1_571_302_800, 177_990_000), (1_571_306_400, 178_500_000)];
    for text in [
        "time,price\n1571302800,177.99\n1571306400,178.5\n",
        "timestamp,open,close\n1571302800000,9,177.99\n1571306400000,9,178.5\n",
        "Price;Date\n177.99;2019-10-17T09:00:00Z\n178.50000;2019-10-17T12:00:00+02:00\n",
        "date,close\n2019-10-17 09:00:00,177.99\n2019-10-17 10:00,178.5\n",
        "\"Date\",\"Close\"\n\"2019-10-17 09-AM\",\"177.99\"\n\"2019-10-17 10-AM\",\"1.785e2\"\n",
        // Remarks before the header, newest first, both a date and a number: the number wins.
        "https://www.example.org\nunix,date,symbol,close\n1571306400,x,ETH,178.5\n1571302800,x,ETH,177.99\n",
    ] {
        assert_eq!(times_and_prices(text), wanted, "{text}");
    }
    assert_eq!(times_and_prices("date,close\n2019-10-17 12-AM,1\n2019-10-17 12-PM,1")[0].0 % 86_400, 0);
}

#[test]
fn p_083_bad_rows_are_named_by_line_and_gaps_are_said_and_not_filled() {
    let mut text = "time,price,volume,gas,liquidity\n".to_owned();
    for at in 0..40 {
        text += match at {
            7 => "420,none,1,0.1,1000000\n".to_owned(),
            20..30 => continue,
            _ => format!("{},2000,5,0.1,1000000\n", at * 60),
        }
        .as_str();
    }
    let prices = read(&text, &TERMS).expect("one bad row is no bad file");
    assert_eq!(prices.looks.len(), 29);
    assert!(prices.has_volume);
    assert!(prices.remarks.iter().any(|remark| remark.contains("line 9: `none` is no price")), "{:?}", prices.remarks);
    let gap = "2 gap(s) longer than the usual 60 s; the widest is 660 s, from 1970-01-01T00:19:00Z";
    assert!(prices.remarks.iter().any(|remark| remark.starts_with(gap)), "{:?}", prices.remarks);
    let look = prices.looks[0];
    assert_eq!((look.volume, look.gas), (Usdc::whole(5), Usdc::from_micros(100_000)));
    // 1,000 into a side of 1,000,000 loses 1,000 of 1,001,000.
    assert_eq!(look.impact_ppm, 999);
}

#[test]
fn p_083_what_cannot_be_believed_is_refused_with_its_line() {
    let refused = |text: &str| read(text, &TERMS).expect_err("refused").to_string();
    assert!(refused("a,b\n1,2\n").contains("no header names a price"));
    assert!(refused("a,price\n1,2\n").contains("line 1 names a price and no time"));
    assert!(refused("time,price\n1,2\n").contains("1 row(s)"));
    assert!(refused("time,price\n60,2\n120,2\n120,3\n").contains("line 4: 1970-01-01T00:02:00Z stands also on line 3"));
    assert!(refused("time,price\n60,2\n180,2\n120,3\n200,1").contains("line 4"));
    assert!(refused("time,price\n60,x\n180,2\n190,2").contains("1 of 3 rows cannot be read"));
    assert!(refused("time,price\n60,0\n180,2\n190,2").contains("the price is nothing"));
    assert!(refused("time,price\n60,99999999999999999999\n180,2\n190,2").contains("line 2"));
}

/// P-083: what exchanges leave in their files, a row in the wrong place or twice, is put right and named.
#[test]
fn p_083_a_few_rows_out_of_order_are_put_right_and_named() {
    let row = |at: u64| format!("{},{}\n", at * 60, 2_000 + at);
    let mut rows: Vec<String> = (1..=300).map(row).collect();
    rows.swap(99, 100);
    rows.insert(200, row(200).replace("2200", "9"));
    let newest_first: String = rows.iter().rev().cloned().collect();
    for text in [rows.concat(), newest_first] {
        let read = read(&format!("time,price\n{text}"), &TERMS).expect("a few are put right");
        assert!(read.looks.windows(2).all(|pair| pair[0].time < pair[1].time) && read.looks.len() == 300);
        let named =
            |words: &str| read.remarks.iter().any(|remark| remark.starts_with("line") && remark.contains(words));
        assert!(named("put in order") && named("was kept"), "{:?}", read.remarks);
    }
}

#[test]
fn amounts_are_read_exactly() {
    for (text, micros) in [
        ("0.000001", Some(1)),
        ("1.23456789", Some(1_234_567)),
        ("1e-7", Some(0)),
        ("2.5E+3", Some(2_500_000_000)),
        ("$12", Some(12_000_000)),
        (".5", Some(500_000)),
        ("", None),
        (".", None),
        ("-1", None),
        ("1e99", None),
        ("NaN", None),
    ] {
        assert_eq!(read_amount(text).map(Usdc::micros), micros, "{text}");
    }
}

proptest::proptest! {
    /// Whatever a file says, it is read or refused.
    #[test]
    fn no_text_breaks_the_reader(text in "(time|price|,|;|\n|[0-9.e-]|\\PC){0,80}", tail in "([0-9,.e\n -]{0,60})") {
        let _ = read(&text, &TERMS);
        let _ = read(&format!("time,price\n{tail}"), &TERMS);
    }
}

/// P-057, P-083: of several files the times count that all of them have; what was traded in between counts at the next, and what
/// is left out is said. Files with nothing in common are refused.
#[test]
fn p_057_files_of_several_pools_are_brought_to_the_same_times() {
    const START: u64 = 1_700_000_000;
    let file = |rows: &[(u64, u64)]| {
        let rows = rows.iter().map(|(time, volume)| format!("{},100,{volume}\n", START + time));
        read(&format!("unix,price,volume\n{}", rows.collect::<String>()), &TERMS).expect("a file")
    };
    let mut pools = [file(&[(60, 1), (120, 2), (180, 4), (240, 8)]), file(&[(120, 5), (240, 6), (300, 7)])];
    align(&mut pools).expect("two times");
    let told = |prices: &Prices| prices.looks.iter().map(|look| (look.time - START, look.volume)).collect::<Vec<_>>();
    assert_eq!(told(&pools[0]), [(120, Usdc::whole(3)), (240, Usdc::whole(12))]);
    assert_eq!(told(&pools[1]), [(120, Usdc::whole(5)), (240, Usdc::whole(6))]);
    assert!(pools.iter().all(|prices| prices.sides.len() == 2));
    assert!(pools[0].remarks.iter().any(|remark| remark.starts_with("2 row(s)")), "{:?}", pools[0].remarks);
    let mut apart = [file(&[(60, 1), (120, 2)]), file(&[(61, 1), (120, 2)])];
    assert_eq!(align(&mut apart), Err(PricesError::Apart { times: 1 }));
}

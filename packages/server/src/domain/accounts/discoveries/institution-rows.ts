/**
 * Banks and mobile-money operators by country, as their customers know them: general public knowledge, written down by hand and not taken
 * from any register. Names only: no codes. Some may have closed or changed their name; before real money moves, compare a country's rows
 * with the list of licensed institutions that its central bank publishes.
 *
 * One institution per entry. The text before ` = ` is the name to send; the text after it is the name to show, where the two differ. Never
 * remove a listed name: existing accounts may have it.
 */
export interface CountryInstitutions {
  readonly country: string;
  readonly currency: string;
  readonly lines: string;
}

export const countryInstitutions: readonly CountryInstitutions[] = [
  {
    country: "BD",
    currency: "BDT",
    lines: `AB Bank; Agrani Bank; Al-Arafah Islami Bank; BASIC Bank; BRAC Bank;
      Bangladesh Commerce Bank; Bangladesh Development Bank; Bangladesh Krishi Bank; Bank Asia;
      Bank Alfalah; Bengal Commercial Bank; Citizens Bank; Citibank N.A.; City Bank;
      Commercial Bank of Ceylon; Community Bank Bangladesh; Dhaka Bank; Dutch-Bangla Bank;
      Eastern Bank; EXIM Bank = Export Import Bank of Bangladesh; First Security Islami Bank;
      Global Islami Bank; HSBC; Habib Bank; ICB Islamic Bank; IFIC Bank; Islami Bank Bangladesh;
      Jamuna Bank; Janata Bank; Meghna Bank; Mercantile Bank; Midland Bank; Modhumoti Bank;
      Mutual Trust Bank; NCC Bank; NRB Bank; NRBC Bank; National Bank; National Bank of Pakistan;
      One Bank; Padma Bank; Prime Bank; Probashi Kallyan Bank; Pubali Bank;
      Rajshahi Krishi Unnayan Bank; Rupali Bank; SBAC Bank; Shahjalal Islami Bank; Shimanto Bank;
      Social Islami Bank; Sonali Bank; Southeast Bank; Standard Bank; Standard Chartered Bank;
      State Bank of India; Trust Bank; Union Bank; United Commercial Bank; Uttara Bank;
      Woori Bank; bKash; Nagad; Rocket; Upay; Tap; MyCash`,
  },
  {
    country: "BJ",
    currency: "XOF",
    lines: "CELTIIS = Celtiis Cash; MOOV = Moov Money; MTN = MTN Mobile Money",
  },
  {
    country: "BW",
    currency: "BWP",
    lines: "Mascom = Mascom MyZaka; Orange = Orange Money; BTC = BTC Smega",
  },
  {
    country: "CG",
    currency: "XAF",
    lines: "AIRTEL = Airtel Money; MTN = MTN Mobile Money",
  },
  {
    country: "CI",
    currency: "XOF",
    lines: "MOOV = Moov Money; MTN = MTN Mobile Money; ORANGE = Orange Money; WAVE = Wave",
  },
  {
    country: "CM",
    currency: "XAF",
    lines: "MTN = MTN Mobile Money; ORANGE = Orange Money",
  },
  {
    country: "CN",
    currency: "CNY",
    lines: `AliPay = Alipay; WechatPay = WeChat Pay; Agricultural Bank of China;
      Bank of Beijing; Bank of Changsha; Bank of Chengdu; Bank of China; Bank of Communications;
      Bank of Dalian; Bank of Guangzhou; Bank of Guiyang; Bank of Hangzhou; Bank of Jiangsu;
      Bank of Nanjing; Bank of Ningbo; Bank of Qingdao; Bank of Shanghai; Bank of Suzhou;
      Bank of Tianjin; Bank of Xi'an; Bank of Zhengzhou; Beijing Rural Commercial Bank;
      China Bohai Bank; China CITIC Bank; China Construction Bank; China Everbright Bank;
      China Guangfa Bank; China Merchants Bank; China Minsheng Bank; China Zheshang Bank;
      Chongqing Rural Commercial Bank; Hengfeng Bank; Huaxia Bank; Huishang Bank;
      ICBC = Industrial and Commercial Bank of China; Industrial Bank; Ping An Bank;
      Postal Savings Bank of China; Shanghai Pudong Development Bank;
      Shanghai Rural Commercial Bank; Shengjing Bank; WeBank`,
  },
  {
    country: "CO",
    currency: "COP",
    lines: `AV Villas = Banco AV Villas; Bancamia; Banco Agrario; Banco Caja Social;
      Banco Contactar; Banco Cooperativo Coopcentral; Banco de Bogota = Banco de Bogotá;
      Banco de Occidente; Banco Falabella; Banco Finandina; Banco Mundo Mujer; Banco Pichincha;
      Banco Popular; Banco Santander; Banco Serfinanza; Banco Union = Banco Unión; Banco W;
      Bancolombia; Bancoomeva; BBVA Colombia; Citibank; Coltefinanciera; Confiar; Coofinep;
      Cotrafa; Davivienda; GNB Sudameris; Itau = Itaú; JFK Cooperativa Financiera;
      JP Morgan Colombia; Lulo Bank; Mibanco; Scotiabank Colpatria; Daviplata; Dale; Iris; Movii;
      Nequi; Nu = Nu Colombia; Pibank; RappiPay; Uala = Ualá`,
  },
  {
    country: "EG",
    currency: "EGP",
    lines: `Abu Dhabi Commercial Bank; Abu Dhabi Islamic Bank; Agricultural Bank of Egypt;
      Al Ahli Bank of Kuwait; Al Baraka Bank; ALEXBANK = Bank of Alexandria;
      Arab African International Bank; Arab Bank; Arab International Bank; Arab Investment Bank;
      Attijariwafa Bank; Bank ABC; Bank NXT; Banque du Caire; Banque Misr;
      CIB = Commercial International Bank; Citibank; Credit Agricole;
      EBank = Export Development Bank of Egypt; Egyptian Arab Land Bank; Egyptian Gulf Bank;
      Emirates NBD; Faisal Islamic Bank; First Abu Dhabi Bank; HSBC; Housing and Development Bank;
      Industrial Development Bank; Kuwait Finance House; MIDBANK; Mashreq Bank;
      National Bank of Egypt; National Bank of Greece; National Bank of Kuwait;
      QNB = Qatar National Bank; Suez Canal Bank; The United Bank; Etisalat Cash = e& money;
      Orange Cash; Vodafone Cash; WE Pay; InstaPay`,
  },
  {
    country: "GH",
    currency: "GHS",
    lines: `Absa Bank; Access Bank; Agricultural Development Bank; Bank of Africa; CalBank;
      Consolidated Bank Ghana; Ecobank; FBNBank = FirstBank Ghana; Fidelity Bank;
      First Atlantic Bank; First National Bank; GCB Bank; Guaranty Trust Bank;
      National Investment Bank; OmniBSIC Bank; Prudential Bank; Republic Bank; Societe Generale;
      Stanbic Bank; Standard Chartered Bank; United Bank for Africa; Universal Merchant Bank;
      Zenith Bank; AirtelTigo Money = AT Money; G-Money; MTN = MTN Mobile Money; Telecel Cash;
      Zeepay`,
  },
  {
    country: "GT",
    currency: "GTQ",
    lines: `BAC Credomatic; Banco Agromercantil; Banco Azteca; Banco Credicorp;
      Banco Cuscatlan = Banco Cuscatlán; Banco de Antigua; Banco de los Trabajadores;
      Banco Ficohsa; Banco G&T Continental; Banco Industrial; Banco Inmobiliario; Banco INV;
      Banco Internacional; Banco Nexa; Banco Promerica; Banrural; CHN Banco; Citibank; Vivibanco`,
  },
  {
    country: "HK",
    currency: "HKD",
    lines: `Agricultural Bank of China; Airstar Bank; Ant Bank; Bank of China (Hong Kong);
      Bank of Communications; Bank of East Asia; BNP Paribas; China CITIC Bank International;
      China Construction Bank (Asia); China Merchants Bank; Chiyu Banking; Chong Hing Bank;
      Citibank; CMB Wing Lung Bank; Dah Sing Bank; DBS Bank; Deutsche Bank; Fubon Bank;
      Fusion Bank; Hang Seng Bank; HSBC; ICBC (Asia); JPMorgan Chase Bank; livi bank; Mox Bank;
      Nanyang Commercial Bank; OCBC Bank; PAO Bank; Public Bank; Shanghai Commercial Bank;
      Standard Chartered Bank; Tai Sang Bank; Tai Yau Bank; UBS; WeLab Bank; ZA Bank; AlipayHK;
      Octopus; PayMe; WeChat Pay HK`,
  },
  {
    country: "ID",
    currency: "IDR",
    lines: `Allo Bank; Bank Aceh Syariah; Bank BCA = Bank Central Asia; Bank BCA Syariah;
      Bank BJB; Bank BNI = Bank Negara Indonesia; Bank BRI = Bank Rakyat Indonesia;
      Bank BTN = Bank Tabungan Negara; Bank BTPN; Bank Bukopin; Bank Capital Indonesia;
      Bank CIMB Niaga; Bank Commonwealth; Bank Danamon; Bank DBS Indonesia; Bank DKI;
      Bank Ganesha; Bank HSBC Indonesia; Bank ICBC Indonesia; Bank Index Selindo;
      Bank Ina Perdana; Bank Jago; Bank Jateng; Bank Jatim; Bank Kalsel; Bank Mandiri;
      Bank Maspion; Bank Mayapada; Bank Mayora; Bank Mega; Bank Mega Syariah; Bank Mestika;
      Bank Muamalat; Bank Nagari; Bank Neo Commerce; Bank OCBC NISP; Bank Panin; Bank Permata;
      Bank Raya Indonesia; Bank Sampoerna; Bank Sinarmas; Bank Sumut; Bank Syariah Indonesia;
      Bank UOB Indonesia; Citibank; Maybank Indonesia; SeaBank; Standard Chartered Bank;
      Superbank; Woori Saudara; DANA; GoPay; LinkAja; OVO; ShopeePay`,
  },
  {
    country: "IN",
    currency: "INR",
    lines: `AU Small Finance Bank; Airtel Payments Bank; Axis Bank; Bandhan Bank;
      Bank of Baroda; Bank of India; Bank of Maharashtra; CSB Bank; Canara Bank;
      Central Bank of India; City Union Bank; DBS Bank India; DCB Bank; Dhanlaxmi Bank;
      Equitas Small Finance Bank; Federal Bank; Fino Payments Bank; HDFC Bank; HSBC India;
      ICICI Bank; IDBI Bank; IDFC First Bank; India Post Payments Bank; Indian Bank;
      Indian Overseas Bank; IndusInd Bank; Jammu and Kashmir Bank; Jio Payments Bank;
      Karnataka Bank; Karur Vysya Bank; Kotak Mahindra Bank; Nainital Bank; Punjab and Sind Bank;
      Punjab National Bank; RBL Bank; South Indian Bank; Standard Chartered Bank;
      State Bank of India; Tamilnad Mercantile Bank; UCO Bank; Ujjivan Small Finance Bank;
      Union Bank of India; Yes Bank`,
  },
  {
    country: "JM",
    currency: "JMD",
    lines: `CIBC Caribbean Bank; Citibank; First Global Bank; JMMB Bank; JN Bank;
      National Commercial Bank; Sagicor Bank; Scotiabank`,
  },
  { country: "KE", currency: "KES", lines: "M-PESA" },
  { country: "MW", currency: "MWK", lines: "AIRTEL = Airtel Money; TNM = TNM Mpamba" },
  {
    country: "MY",
    currency: "MYR",
    lines: `AEON Bank; Affin Bank; Agrobank; Al Rajhi Bank; Alliance Bank; AmBank; Bank Islam;
      Bank Muamalat; Bank of America; Bank of China; Bank Rakyat; Bank Simpanan Nasional;
      Boost Bank; CIMB Bank; Citibank; Deutsche Bank; GX Bank; Hong Leong Bank; HSBC Bank; ICBC;
      KAF Digital Bank; Kuwait Finance House; MBSB Bank; MUFG Bank; Maybank; OCBC Bank;
      Public Bank; RHB Bank; Ryt Bank; Standard Chartered Bank; UOB = United Overseas Bank;
      BigPay; Boost; GrabPay; ShopeePay; Touch 'n Go eWallet`,
  },
  {
    country: "NG",
    currency: "NGN",
    lines: `9 Payment Service Bank = 9PSB; AB Microfinance Bank; Access Bank;
      Accion Microfinance Bank; Alternative Bank; Carbon; Citibank; Coronation Merchant Bank;
      Ecobank; FairMoney Microfinance Bank; FCMB = First City Monument Bank;
      FBNQuest Merchant Bank; FSDH Merchant Bank; Fidelity Bank; First Bank of Nigeria;
      Globus Bank; GoMoney; Greenwich Merchant Bank; GTBank = Guaranty Trust Bank; Heritage Bank;
      Hope Payment Service Bank; Jaiz Bank; Keystone Bank; Kuda = Kuda Microfinance Bank;
      LAPO Microfinance Bank; Lotus Bank; MoMo Payment Service Bank;
      Moniepoint = Moniepoint Microfinance Bank; Nova Bank; OPay; Optimus Bank; PalmPay; Paga;
      Parallex Bank; Polaris Bank; PremiumTrust Bank; Providus Bank; Rand Merchant Bank;
      Renmoney Microfinance Bank; Rubies Microfinance Bank; Signature Bank;
      SmartCash Payment Service Bank; Sparkle Microfinance Bank; Stanbic IBTC Bank;
      Standard Chartered Bank; Sterling Bank; Suntrust Bank; TAJBank; Titan Trust Bank;
      Union Bank of Nigeria; United Bank for Africa; Unity Bank; VFD Microfinance Bank; Wema Bank;
      Zenith Bank`,
  },
  {
    country: "PH",
    currency: "PHP",
    lines: `AllBank; ANZ Bank; Asia United Bank; Bangko Kabayan; Bangkok Bank; Bank of America;
      Bank of China; Bank of Commerce; BDO Network Bank; BDO Unibank;
      BPI = Bank of the Philippine Islands; BPI Direct BanKo; Camalig Bank; Cantilan Bank;
      CARD Bank; Cebuana Lhuillier Bank; China Bank = China Banking Corporation;
      China Bank Savings; CIMB Bank; Citibank; City Savings Bank; Coins.ph; CTBC Bank;
      DBP = Development Bank of the Philippines; Deutsche Bank; Dumaguete City Development Bank;
      DungganonBank; EastWest Bank; EastWest Rural Bank; Equicom Savings Bank;
      First Consolidated Bank; GCash; GoTyme Bank; GrabPay; HSBC; HSBC Savings Bank; Isla Bank;
      JPMorgan Chase Bank; KEB Hana Bank; Komo; LANDBANK = Land Bank of the Philippines;
      Legazpi Savings Bank; Luzon Development Bank; Malayan Savings Bank; Maya = Maya Philippines;
      Maya Bank; Maybank; Mega International Commercial Bank;
      Metrobank = Metropolitan Bank and Trust Company; Mizuho Bank; MUFG Bank; Netbank;
      OFBank = Overseas Filipino Bank; OwnBank; Partner Rural Bank;
      PBCOM = Philippine Bank of Communications; Philippine Business Bank; Philtrust Bank;
      PNB = Philippine National Bank; Producers Bank; PSBank = Philippine Savings Bank;
      Queen City Development Bank; Rang-ay Bank; RCBC = Rizal Commercial Banking Corporation;
      Robinsons Bank; Rural Bank of Guinobatan; SeaBank; Security Bank; Shinhan Bank; ShopeePay;
      Standard Chartered Bank; StarPay; Sterling Bank of Asia; Sun Savings Bank; Tonik Bank;
      TayoCash; UCPB = United Coconut Planters Bank; UCPB Savings Bank;
      UnionBank = Union Bank of the Philippines; UnionDigital Bank; UnoBank = UNO Digital Bank;
      Veterans Bank = Philippine Veterans Bank; Wealth Development Bank; Yuanta Savings Bank`,
  },
  {
    country: "PK",
    currency: "PKR",
    lines: `Al Baraka Bank; Allied Bank; Askari Bank; Bank Alfalah; Bank AL Habib;
      Bank of China; Bank of Khyber; Bank of Punjab; BankIslami; Citibank; Deutsche Bank;
      Dubai Islamic Bank; Faysal Bank; First Women Bank; FINCA Microfinance Bank;
      HBL = Habib Bank Limited; HBL Microfinance Bank; Habib Metropolitan Bank; ICBC; JS Bank;
      Khushhali Microfinance Bank; MCB Bank; MCB Islamic Bank; Makramah Bank; Meezan Bank;
      Mobilink Bank; NRSP Microfinance Bank; National Bank of Pakistan; Samba Bank; Silkbank;
      Sindh Bank; Soneri Bank; Standard Chartered Bank; Telenor Microfinance Bank;
      U Microfinance Bank; United Bank Limited; Zarai Taraqiati Bank; Easypaisa; JazzCash;
      NayaPay; SadaPay; UPaisa`,
  },
  { country: "RW", currency: "RWF", lines: "AIRTEL = Airtel Money; MTN = MTN Mobile Money" },
  {
    country: "SG",
    currency: "SGD",
    lines: `ANEXT Bank; ANZ Bank; Bank of America; Bank of China; Bank of India;
      Bank of Singapore; BNP Paribas; China Construction Bank; CIMB Bank; Citibank; DBS Bank;
      Deutsche Bank; GXS Bank; Green Link Digital Bank; HL Bank; HSBC; ICBC; ICICI Bank;
      Indian Bank; JPMorgan Chase Bank; MariBank; Maybank; Mizuho Bank; MUFG Bank; OCBC Bank;
      POSB; RHB Bank; Standard Chartered Bank; State Bank of India;
      Sumitomo Mitsui Banking Corporation; Trust Bank; UBS; UOB = United Overseas Bank; GrabPay;
      Liquid Pay; Wise`,
  },
  {
    country: "SN",
    currency: "XOF",
    lines: "FREE = Free Money; ORANGE = Orange Money; WAVE = Wave; EMONEY = E-Money",
  },
  {
    country: "SV",
    currency: "USD",
    lines: `ABANK; Banco Agricola = Banco Agrícola; Banco Atlantida = Banco Atlántida;
      Banco Azul; BAC Credomatic; Banco Cuscatlan = Banco Cuscatlán;
      Banco de Fomento Agropecuario; Banco G&T Continental; Banco Hipotecario; Banco Industrial;
      Banco Promerica; BANDESAL; Citibank; Davivienda; Fedecredito = Fedecrédito; Tigo Money`,
  },
  {
    country: "TG",
    currency: "XOF",
    lines: "MOOV = Flooz; TOGOCOM = T-Money",
  },
  {
    country: "TH",
    currency: "THB",
    lines: `Bangkok Bank; Bank for Agriculture and Agricultural Cooperatives;
      Bank of Ayudhya = Krungsri; Bank of China; BNP Paribas; CIMB Thai Bank; Citibank;
      Deutsche Bank; Government Housing Bank; Government Savings Bank; HSBC; ICBC;
      Islamic Bank of Thailand; Kasikornbank; Kiatnakin Phatra Bank; Krungthai Bank;
      Land and Houses Bank; Mega Bank; Mizuho Bank; Siam Commercial Bank; Standard Chartered Bank;
      Sumitomo Mitsui Banking Corporation; Thai Credit Bank; TISCO Bank; TMBThanachart Bank = ttb;
      UOB = United Overseas Bank; TrueMoney`,
  },
  { country: "TZ", currency: "TZS", lines: "AIRTEL = Airtel Money; VODACOM = Vodacom M-Pesa" },
  { country: "UG", currency: "UGX", lines: "AIRTEL = Airtel Money; MTN = MTN Mobile Money" },
  {
    country: "VN",
    currency: "VND",
    lines: `ABBANK = An Binh Commercial Bank; ACB = Asia Commercial Bank; Agribank; Bac A Bank;
      Bao Viet Bank; BIDV = Bank for Investment and Development of Vietnam;
      BVBank = Viet Capital Bank; CIMB Bank; Co-opBank; DongA Bank; Eximbank; GPBank; HDBank;
      Hong Leong Bank; HSBC; Indovina Bank; Kienlongbank; LPBank; MB = Military Bank;
      MSB = Maritime Bank; Nam A Bank; NCB = National Citizen Bank; OCB = Orient Commercial Bank;
      OceanBank; PG Bank; Public Bank; PVcomBank; Sacombank; Saigonbank;
      SCB = Saigon Commercial Bank; SeABank; SHB = Saigon-Hanoi Bank; Shinhan Bank;
      Standard Chartered Bank; Techcombank; TPBank; UOB = United Overseas Bank;
      VIB = Vietnam International Bank; VietABank; VietBank; Vietcombank; VietinBank; VPBank;
      VRB = Vietnam-Russia Bank; Woori Bank; Cake; Timo; MoMo; Viettel Money; ZaloPay`,
  },
  {
    country: "ZA",
    currency: "ZAR",
    lines: `ABSA Bank; Access Bank; African Bank; Albaraka Bank; Bank of China; Bank Zero;
      Bidvest Bank; Capitec Bank; Capitec Business; China Construction Bank; Citibank;
      Discovery Bank; First National Bank; FinBond Mutual Bank; Grindrod Bank; GBS Mutual Bank;
      HBZ Bank; HSBC; Investec Bank; Ithala; JPMorgan Chase Bank; Mercantile Bank; Nedbank;
      Old Mutual Bank; Postbank; RMB = Rand Merchant Bank; Sasfin Bank; Standard Bank;
      Standard Chartered Bank; State Bank of India; TymeBank; UBank`,
  },
  {
    country: "ZM",
    currency: "ZMW",
    lines: "AIRTEL = Airtel Money; MTN = MTN Mobile Money; TNM = TNM Mpamba; ZAMTEL = Zamtel Money",
  },
];

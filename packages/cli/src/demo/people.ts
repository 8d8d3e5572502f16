/** Names of people and companies in many languages and scripts. All are invented combinations. */
import type { Chance } from "./chance.ts";

export interface Origin {
  readonly country: string;
  readonly city: string;
  readonly postalCode: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  /** What a company of this origin is called, with `*` for the family name. */
  readonly companies: readonly string[];
  /** The family name comes first, without a space. */
  readonly isFamilyFirst?: true;
}

const words = (text: string): readonly string[] => text.split(" ");

function origin(
  place: readonly [country: string, city: string, postalCode: string],
  given: string,
  family: string,
  companies: readonly string[],
): Origin {
  const [country, city, postalCode] = place;
  return { country, city, postalCode, given: words(given), family: words(family), companies };
}

const origins: readonly Origin[] = [
  origin(
    ["US", "Boston", "02110"],
    "Emma Noah Olivia Liam Ava Ethan Harper Mason Grace Caleb Hazel Wyatt",
    "Whitfield Carver Ostrander Delgado Pruitt Langley Okafor-Reyes McAllister O'Rourke Sutter",
    ["* Outfitters Inc.", "* & Daughters LLC", "* Logistics Corp."],
  ),
  origin(
    ["MX", "Guadalajara", "44100"],
    "Ximena José Lucía Ángel Renata Íñigo Sofía Joaquín Itzel Emiliano",
    "Ñuñez Hernández Villaseñor Cárdenas Quiñones Robles Zúñiga Montaño",
    ["Taller * S.A. de C.V.", "Café *"],
  ),
  origin(
    ["BR", "Recife", "50030-230"],
    "João Luíza Caetano Antônia Thiago Conceição Otávio Iara",
    "Gonçalves Araújo Magalhães Assunção Brandão Simões",
    ["Padaria * Ltda.", "* Tecnologia S.A."],
  ),
  origin(
    ["DE", "Köln", "50667"],
    "Jonas Jürgen Änne Björn Greta Fritz Käthe Matthias",
    "Groß Müller-Lüdenscheidt Weiß Schäfer Böhm Krüger Ölmann",
    ["* Maschinenbau GmbH", "Bäckerei * OHG"],
  ),
  origin(
    ["FR", "Nîmes", "30000"],
    "Éloïse Gaël Zoé François Anaïs Loïc Océane Rémi",
    "Lefèvre Pécoud Garçon d'Aubigné Noël Boëffard",
    ["Boulangerie * SARL", "* & Fils"],
  ),
  origin(
    ["ES", "Girona", "17001"],
    "Íngrid Martí Begoña Andrés Núria Iñaki",
    "Peñalver Castañeda Puig Etxeberria Muñoz",
    ["Bodegas * S.L."],
  ),
  origin(
    ["PL", "Łódź", "90-001"],
    "Łucja Stanisław Małgorzata Zbigniew Agnieszka Józef",
    "Wójcik Śliwińska Brzęczyszczykiewicz Żak Źrebiec Łącki",
    ["Zakład * sp. z o.o."],
  ),
  origin(
    ["CZ", "Plzeň", "301 00"],
    "Jiří Božena Ondřej Žofie Čeněk Markéta",
    "Dvořáková Říha Šťastný Žižka Novotná",
    ["Pivovar * s.r.o."],
  ),
  origin(
    ["DK", "Ærøskøbing", "5970"],
    "Søren Åse Jørgen Bodil Kåre Maja",
    "Sørensen Ærø Bøgh Kjær Østergaard",
    ["* Skibsværft A/S"],
  ),
  origin(
    ["TR", "İzmir", "35210"],
    "Işıl Çağrı Gülşen Oğuz Şebnem İlker",
    "Yıldız Öztürk Güneş Çelik Doğan",
    ["* Tekstil A.Ş."],
  ),
  origin(
    ["GR", "Πάτρα", "26221"],
    "Ελένη Γιώργος Δήμητρα Νίκος Αθηνά Στέλιος",
    "Παπαδοπούλου Οικονόμου Βλάχος Ξένος Ζωγράφου",
    ["Ελαιοτριβείο * Α.Ε."],
  ),
  origin(
    ["UA", "Львів", "79000"],
    "Оксана Тарас Соломія Юрій Ганна Євген",
    "Шевчук Коваленко Їжакевич Гончар Мельник",
    ["ТОВ «*»"],
  ),
  origin(
    ["GE", "თბილისი", "0105"],
    "ნინო გიორგი თამარ ლევან მარიამ",
    "ბერიძე კაპანაძე გელაშვილი ლომიძე",
    ["შპს *"],
  ),
  origin(["AM", "Երևան", "0010"], "Անի Տիգրան Նարե Արամ", "Պետրոսյան Հակոբյան Սարգսյան", ["* ՍՊԸ"]),
  origin(
    ["EG", "القاهرة", "11511"],
    "ليلى عمر نور يوسف سلمى خالد",
    "الشريف منصور حسن الفاروق بدوي",
    ["شركة * للتجارة"],
  ),
  origin(["IL", "חיפה", "3303139"], "נועה איתן תמר דוד שירה", "כהן לוי אברהמי שפירא", ["* בע״מ"]),
  origin(
    ["IN", "जयपुर", "302001"],
    "प्रिया अर्जुन काव्या रोहन मीरा विक्रम",
    "शर्मा वर्मा अय्यर मल्होत्रा जोशी",
    ["* ट्रेडर्स"],
  ),
  origin(["BD", "ঢাকা", "1205"], "নুসরাত রফিক সাদিয়া তানভীর", "রহমান চৌধুরী দাশ আহমেদ", ["* এন্টারপ্রাইজ"]),
  origin(["TH", "เชียงใหม่", "50200"], "สมชาย กัญญา ณัฐพล พิมพ์ชนก", "วงศ์สวัสดิ์ ศรีสุข ทองดี รัตนกุล", [
    "บริษัท * จำกัด",
  ]),
  origin(["VN", "Đà Nẵng", "550000"], "Phương Đức Huệ Quỳnh Tuấn Mỹ", "Nguyễn Trần Đặng Võ Huỳnh", [
    "Công ty *",
  ]),
  {
    ...origin(["CN", "杭州", "310000"], "晓明 丽华 子涵 建国 雨桐", "王 李 张 欧阳 陈", [
      "*氏贸易有限公司",
    ]),
    isFamilyFirst: true,
  },
  {
    ...origin(
      ["JP", "京都", "600-8216"],
      "さくら 健太 美咲 翔 由紀子",
      "佐藤 鈴木 髙橋 渡邉 小野寺",
      ["株式会社*製作所"],
    ),
    isFamilyFirst: true,
  },
  {
    ...origin(["KR", "부산", "48943"], "서연 민준 지우 하은 도현", "김 이 박 최 남궁", [
      "주식회사 *상사",
    ]),
    isFamilyFirst: true,
  },
  origin(
    ["NG", "Ìbàdàn", "200001"],
    "Adéọlá Chukwuemeka Ngọzi Olúwaṣeun Ìfẹ́",
    "Adébáyọ̀ Ọkọ́ńkwọ́ Balógun Eze",
    ["* Farms Ltd"],
  ),
  origin(
    ["KE", "Nairobi", "00100"],
    "Wanjirũ Otieno Achieng' Mwangi Zawadi",
    "Kamau Ochieng' Njoroge Wambũi",
    ["* Traders"],
  ),
  origin(["ET", "አዲስ አበባ", "1000"], "ሰላም ዳዊት ሀና ቴዎድሮስ", "በቀለ ተስፋዬ ወልደማርያም", ["* ኃ.የተ.የግ.ማ"]),
  origin(
    ["PH", "Cebu", "6000"],
    "Maricel Jun-Jun Luzviminda Andoy Bituin",
    "Dela_Cruz Macaraeg Peñaflor Batungbakal",
    ["* Trading"],
  ),
  origin(
    ["GB", "Cardiff", "CF10 1EP"],
    "Siân Alasdair Niamh Rhys Imogen",
    "Llewellyn MacLeòid Featherstonehaugh Ó_Briain",
    ["* & Sons Ltd", "The * Bookshop"],
  ),
];

export interface Someone {
  readonly isCompany: boolean;
  readonly name: string;
  readonly origin: Origin;
}

/** Goes through all origins in turn. */
export function originOf(nth: number): Origin {
  return origins[nth % origins.length] as Origin;
}

export function someone(chance: Chance, nth: number, { isCompany = false } = {}): Someone {
  const from = originOf(nth);
  const family = chance.pick(from.family).replaceAll("_", " ");
  if (isCompany)
    return { isCompany, name: chance.pick(from.companies).replace("*", family), origin: from };
  const given = chance.pick(from.given);
  const name = from.isFamilyFirst === true ? `${family}${given}` : `${given} ${family}`;
  return { isCompany, name, origin: from };
}

import type { Random } from './random.ts';

/** Where a person's name comes from. A name written in other letters is followed by `|` and its Latin spelling. */
interface Culture {
  weight: number;
  female: readonly string[];
  male: readonly string[];
  family: readonly string[];
  /** Family names that women bear in another form, in the order of `family`. */
  familyFemale?: readonly string[];
  familyFirst?: boolean;
  /** Between the two names; nothing in scripts that write them together. */
  joint?: string;
}

const words = (text: string): string[] => text.trim().split(/\s*,\s*/);

const CULTURES: readonly Culture[] = [
  {
    weight: 18,
    female: words('Olivia, Grace, Charlotte, Hannah, Margaret, Ruth, Eleanor, Abigail, Dorothy, Megan, Ivy, Joan'),
    male: words('James, Thomas, William, Henry, George, Samuel, Edward, Walter, Oliver, Arthur, Benjamin, Frank'),
    family: words("Smith, Taylor, Wilson, Clarke, O'Connor, Hughes, Bennett, Cooper, Ward, Harrison, Lloyd-Jones, Fox"),
  },
  {
    weight: 12,
    female: words('María José, Lucía, Sofía, Inés, Ximena, Begoña, Rocío, Valentina, Concepción, Itziar'),
    male: words('José, Andrés, Joaquín, Íñigo, Martín, Jesús, Ángel, Raúl, Sebastián, Nicolás'),
    family: words('García Núñez, Fernández, Ibáñez, Muñoz Peña, Ordóñez, Gutiérrez, Zúñiga, Herrera, Castañeda, López'),
  },
  {
    weight: 7,
    female: words('Zoé, Chloé, Anaïs, Océane, Françoise, Geneviève, Maëlys, Noémie'),
    male: words('Étienne, François, Loïc, Jérôme, Théo, Gaël, Benoît, Rémi'),
    family: words("Lefèvre, Béranger, d'Aubigné, Crépin, Gauthier, Noël, Château, Fontaine"),
  },
  {
    weight: 6,
    female: words('Ana Luíza, Conceição, Beatriz, Letícia, Mariângela, Graça, Júlia'),
    male: words('João, Sebastião, Antônio, Caetano, Luís, Fábio, Simão'),
    family: words('Gonçalves, de Araújo, Guimarães, Simões, dos Santos, Magalhães, Conceição'),
  },
  {
    weight: 7,
    female: words('Käthe, Anneliese, Jördis, Sabine, Hannelore, Svenja, Mia'),
    male: words('Jürgen, Björn, Wolfgang, Götz, Lukas, Matthäus, Sören'),
    family: words('Müller, Großmann, Köhler, Schäfer, Weiß, von der Höhe, Krüger'),
  },
  {
    weight: 5,
    female: words('Małgorzata, Agnieszka, Zofia, Łucja, Bożena, Kinga'),
    male: words('Łukasz, Paweł, Stanisław, Michał, Grzegorz, Józef'),
    family: words('Wiśniewski, Kowalczyk, Dąbrowski, Wójcik, Żebrowski, Gołębiowski'),
    familyFemale: words('Wiśniewska, Kowalczyk, Dąbrowska, Wójcik, Żebrowska, Gołębiowska'),
  },
  {
    weight: 4,
    female: words('Žofie, Růžena, Eliška, Alžběta, Kateřina'),
    male: words('Jiří, Ondřej, Matěj, Řehoř, Luděk'),
    family: words('Dvořák, Svoboda, Čermák, Růžička, Hájek'),
    familyFemale: words('Dvořáková, Svobodová, Čermáková, Růžičková, Hájková'),
  },
  {
    weight: 4,
    female: words('Åsa, Ingrid, Þóra, Märta, Sigríður, Bodil'),
    male: words('Håkon, Øyvind, Åke, Þorsteinn, Søren, Mikkel'),
    family: words('Ångström, Sørensen, Lindqvist, Bjørnstad, Hämäläinen, Nygård'),
  },
  {
    weight: 5,
    female: words('Şeyma, Gülşen, Ayşe, İpek, Çiğdem, Zeynep'),
    male: words('İbrahim, Oğuz, Çağlar, Şükrü, Mehmet, Ümit'),
    family: words('Yılmaz, Çelik, Öztürk, Şahin, Doğan, Karaağaç'),
  },
  {
    weight: 6,
    female: words('Анна|Anna, Ольга|Olga, Екатерина|Yekaterina, Наталія|Nataliia, Юлия|Yuliya'),
    male: words('Дмитрий|Dmitri, Сергей|Sergei, Андрій|Andrii, Фёдор|Fyodor, Павел|Pavel'),
    family: words('Иванов|Ivanov, Соловьёв|Solovyov, Кузнецов|Kuznetsov, Шевченко|Shevchenko, Щукин|Shchukin'),
    familyFemale: words(
      'Иванова|Ivanova, Соловьёва|Solovyova, Кузнецова|Kuznetsova, Шевченко|Shevchenko, Щукина|Shchukina',
    ),
  },
  {
    weight: 3,
    female: words('Ελένη|Eleni, Αικατερίνη|Aikaterini, Δήμητρα|Dimitra, Σοφία|Sofia'),
    male: words('Γιώργος|Giorgos, Κωνσταντίνος|Konstantinos, Νίκος|Nikos, Θεόδωρος|Theodoros'),
    family: words('Παπαδόπουλος|Papadopoulos, Νικολαΐδης|Nikolaidis, Αλεξίου|Alexiou, Δημητρίου|Dimitriou'),
    familyFemale: words('Παπαδοπούλου|Papadopoulou, Νικολαΐδου|Nikolaidou, Αλεξίου|Alexiou, Δημητρίου|Dimitriou'),
  },
  {
    weight: 7,
    female: words('فاطمة|Fatima, ليلى|Layla, مريم|Maryam, زينب|Zaynab, هدى|Huda'),
    male: words('محمد|Muhammad, أحمد|Ahmad, يوسف|Yusuf, خالد|Khalid, عمر|Umar'),
    family: words('الخطيب|Al-Khatib, حداد|Haddad, المنصوري|Al-Mansouri, بن سالم|Bin Salim, العلوي|Al-Alawi'),
  },
  {
    weight: 2,
    female: words('נועה|Noa, תמר|Tamar, שרה|Sarah'),
    male: words('דוד|David, איתי|Itai, משה|Moshe'),
    family: words('כהן|Cohen, לוי|Levi, מזרחי|Mizrahi'),
  },
  {
    weight: 7,
    female: words('Priya, Lakshmi, Ananya, Kavya, Harpreet, Meenakshi, Ayesha'),
    male: words('Arjun, Rohan, Vikram, Imran, Gurpreet, Karthik, Sanjay'),
    family: words('Sharma, Patel, Nair, Chatterjee, Khan, Iyer, Singh Gill'),
  },
  {
    weight: 3,
    female: words('सुनीता|Sunita, मीरा|Mira, राधा|Radha'),
    male: words('राहुल|Rahul, अमित|Amit, विजय|Vijay'),
    family: words('वर्मा|Verma, शर्मा|Sharma, गुप्ता|Gupta'),
  },
  {
    weight: 9,
    female: words('秀英|Xiuying, 丽|Li, 静怡|Jingyi, 雨桐|Yutong, 婷婷|Tingting'),
    male: words('伟|Wei, 建国|Jianguo, 浩然|Haoran, 子轩|Zixuan, 明|Ming'),
    family: words('王|Wang, 李|Li, 张|Zhang, 欧阳|Ouyang, 陈|Chen, 赵|Zhao'),
    familyFirst: true,
    joint: '',
  },
  {
    weight: 5,
    female: words('さくら|Sakura, 陽子|Yoko, 美咲|Misaki, 千代|Chiyo'),
    male: words('翔太|Shota, 健一|Kenichi, 大輔|Daisuke, 蓮|Ren'),
    family: words('佐藤|Sato, 鈴木|Suzuki, 髙橋|Takahashi, 渡邉|Watanabe, 小林|Kobayashi'),
    familyFirst: true,
  },
  {
    weight: 4,
    female: words('서연|Seoyeon, 민지|Minji, 영숙|Yeongsuk'),
    male: words('민준|Minjun, 지훈|Jihun, 영수|Yeongsu'),
    family: words('김|Kim, 이|Lee, 박|Park, 최|Choi'),
    familyFirst: true,
    joint: '',
  },
  {
    weight: 5,
    female: words('Thị Hương, Ngọc Ánh, Thu Hằng, Mỹ Duyên'),
    male: words('Văn Đức, Quốc Bảo, Minh Tuấn, Hữu Phước'),
    family: words('Nguyễn, Trần, Lê, Phạm, Đặng'),
    familyFirst: true,
  },
  {
    weight: 2,
    female: words('สมหญิง|Somying, มาลี|Mali'),
    male: words('สมชาย|Somchai, ประเสริฐ|Prasoet'),
    family: words('ใจดี|Chaidi, แสงสว่าง|Saengsawang'),
  },
  {
    weight: 8,
    female: words('Amara, Ngozi, Oluwaṣeun, Ẹniọlá, Wanjiku, Thandiwe, Aïssatou, Selam'),
    male: words('Chukwuemeka, Babátúndé, Kwabena, Tendai, Sipho, Ọláwálé, Ousmane, Dawit'),
    family: words('Okafor, Adéyẹmí, Mensah, Wambũi, Dlamini, Ndiaye, Tesfaye, Ọbasanjọ'),
  },
  {
    weight: 3,
    female: words('Aroha, Hinemoa, Kaʻiulani, Leilani'),
    male: words('Tāne, Rāwiri, Kekoa, Mānoa'),
    family: words('Ngātai, Parāone, Kahananui, Kealoha'),
  },
];

export interface DemoName {
  /** As the person writes it. */
  name: string;
  /** In plain letters, for an address: `given.family`. */
  mailbox: string;
}

/** A made-up name. Sexes without a list of their own draw from both. */
export function drawName(random: Random, sex: string): DemoName {
  const culture = random.weighted(CULTURES.map((each) => [each, each.weight] as const));
  const female = sex === 'female' || (sex !== 'male' && random.chance(0.5));
  const given = random.pick(female ? culture.female : culture.male);
  const family = random.pick(female ? (culture.familyFemale ?? culture.family) : culture.family);
  const parts = culture.familyFirst === true ? [family, given] : [given, family];
  return { name: parts.map(written).join(culture.joint ?? ' '), mailbox: `${plain(given)}.${plain(family)}` };
}

function written(part: string): string {
  return part.split('|')[0] ?? part;
}

function plain(part: string): string {
  const latin = part.split('|')[1] ?? part;
  const special: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', þ: 'th', ı: 'i', æ: 'ae', ð: 'd' };
  return latin
    .toLowerCase()
    .replace(/[ßłøđþıæð]/g, (letter) => special[letter] ?? '')
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectProportion, processorTime } from "../../test/growth.ts";
import { estimateText } from "./tokens.ts";

/** Texts with their tokens by o200k, counted once with a public tokenizer. */
const samples: readonly { readonly kind: string; readonly tokens: number; readonly text: string }[] = [
  {
    kind: "English, technical",
    tokens: 84,
    text: "The deployment failed because the database migration was still running when the new containers started. I rolled back to the previous release, waited until the migration had finished, and then restarted the rollout one region at a time. Nothing was lost, but about two hundred requests got an error page. Next time we should add a readiness check that looks at the schema version, so that a container does not accept traffic before it can answer.",
  },
  {
    kind: "English, a story",
    tokens: 84,
    text: "It was the kind of morning that made old sailors shake their heads: no wind, a low grey sky, and gulls sitting on the jetty as if they had been nailed there. Martha put the kettle on and watched the harbour through the salt-crusted window. Her brother would not be back before noon, and there was bread to bake, nets to mend, and a letter she did not want to answer.",
  },
  {
    kind: "German",
    tokens: 95,
    text: "Die Bereitstellung ist fehlgeschlagen, weil die Datenbankmigration noch lief, als die neuen Container gestartet wurden. Ich habe auf die vorherige Version zurückgesetzt, gewartet, bis die Migration abgeschlossen war, und dann die Auslieferung Region für Region neu gestartet. Es ging nichts verloren, aber ungefähr zweihundert Anfragen haben eine Fehlerseite bekommen. Beim nächsten Mal sollten wir eine Bereitschaftsprüfung hinzufügen, die die Schemaversion überprüft.",
  },
  {
    kind: "French",
    tokens: 101,
    text: "Le déploiement a échoué parce que la migration de la base de données était encore en cours lorsque les nouveaux conteneurs ont démarré. Je suis revenu à la version précédente, j'ai attendu la fin de la migration, puis j'ai relancé le déploiement région par région. Rien n'a été perdu, mais environ deux cents requêtes ont reçu une page d'erreur. La prochaine fois, nous devrions ajouter une vérification qui contrôle la version du schéma.",
  },
  {
    kind: "Spanish",
    tokens: 92,
    text: "El despliegue falló porque la migración de la base de datos todavía estaba en marcha cuando arrancaron los nuevos contenedores. Volví a la versión anterior, esperé a que terminara la migración y después reinicié el despliegue región por región. No se perdió nada, pero unas doscientas peticiones recibieron una página de error. La próxima vez deberíamos añadir una comprobación que mire la versión del esquema.",
  },
  {
    kind: "Polish",
    tokens: 119,
    text: "Wdrożenie nie powiodło się, ponieważ migracja bazy danych nadal trwała, gdy uruchomiły się nowe kontenery. Cofnąłem się do poprzedniej wersji, poczekałem na zakończenie migracji, a następnie wznowiłem wdrażanie, region po regionie. Nic nie zginęło, ale około dwustu żądań otrzymało stronę z błędem. Następnym razem powinniśmy dodać sprawdzenie gotowości, które patrzy na wersję schematu.",
  },
  {
    kind: "Turkish",
    tokens: 88,
    text: "Yeni kapsayıcılar başladığında veritabanı geçişi hâlâ sürdüğü için dağıtım başarısız oldu. Önceki sürüme geri döndüm, geçişin bitmesini bekledim ve ardından dağıtımı her seferinde bir bölge olacak şekilde yeniden başlattım. Hiçbir şey kaybolmadı, ancak yaklaşık iki yüz istek hata sayfası aldı.",
  },
  {
    kind: "Russian",
    tokens: 107,
    text: "Развёртывание не удалось, потому что миграция базы данных ещё выполнялась, когда запустились новые контейнеры. Я откатился на предыдущую версию, подождал, пока миграция закончится, и затем снова запустил развёртывание по одному региону за раз. Ничего не потерялось, но около двухсот запросов получили страницу с ошибкой. В следующий раз нам стоит добавить проверку готовности, которая смотрит на версию схемы.",
  },
  {
    kind: "Ukrainian",
    tokens: 104,
    text: "Розгортання не вдалося, бо міграція бази даних ще тривала, коли запустилися нові контейнери. Я повернувся до попередньої версії, дочекався завершення міграції, а потім знову запустив розгортання по одному регіону. Нічого не втрачено, але близько двохсот запитів отримали сторінку з помилкою.",
  },
  {
    kind: "Arabic",
    tokens: 88,
    text: "فشل النشر لأن ترحيل قاعدة البيانات كان لا يزال قيد التشغيل عندما بدأت الحاويات الجديدة. رجعت إلى الإصدار السابق وانتظرت حتى انتهى الترحيل ثم أعدت تشغيل النشر منطقة بعد أخرى. لم يضع شيء، لكن نحو مئتي طلب حصلت على صفحة خطأ. في المرة القادمة يجب أن نضيف فحصًا للجاهزية ينظر إلى إصدار المخطط.",
  },
  {
    kind: "Hebrew",
    tokens: 80,
    text: "הפריסה נכשלה כי הגירת מסד הנתונים עדיין רצה כשהמכולות החדשות עלו. חזרתי לגרסה הקודמת, חיכיתי עד שההגירה הסתיימה ואז הפעלתי מחדש את הפריסה אזור אחר אזור. שום דבר לא אבד, אבל כמאתיים בקשות קיבלו דף שגיאה.",
  },
  {
    kind: "Hindi",
    tokens: 81,
    text: "तैनाती विफल हो गई क्योंकि जब नए कंटेनर शुरू हुए तब डेटाबेस का माइग्रेशन अभी चल रहा था। मैं पिछले संस्करण पर लौटा, माइग्रेशन पूरा होने तक रुका और फिर एक-एक क्षेत्र करके तैनाती दोबारा शुरू की। कुछ भी नहीं खोया, लेकिन लगभग दो सौ अनुरोधों को त्रुटि पृष्ठ मिला।",
  },
  {
    kind: "Thai",
    tokens: 90,
    text: "การติดตั้งล้มเหลวเพราะการย้ายฐานข้อมูลยังทำงานอยู่ตอนที่คอนเทนเนอร์ใหม่เริ่มทำงาน ฉันย้อนกลับไปใช้รุ่นก่อนหน้า รอจนการย้ายข้อมูลเสร็จ แล้วจึงเริ่มติดตั้งใหม่ทีละภูมิภาค ไม่มีข้อมูลสูญหาย แต่มีคำขอประมาณสองร้อยรายการที่ได้รับหน้าข้อผิดพลาด",
  },
  {
    kind: "Japanese",
    tokens: 126,
    text: "新しいコンテナが起動したとき、データベースの移行がまだ実行中だったため、デプロイは失敗しました。前のリリースに戻し、移行が終わるまで待ってから、リージョンごとに順番にデプロイを再開しました。失われたデータはありませんが、約二百件のリクエストがエラーページを受け取りました。次回はスキーマのバージョンを確認する準備チェックを追加すべきです。",
  },
  {
    kind: "Korean",
    tokens: 84,
    text: "새 컨테이너가 시작될 때 데이터베이스 마이그레이션이 아직 실행 중이었기 때문에 배포가 실패했습니다. 이전 릴리스로 되돌리고 마이그레이션이 끝날 때까지 기다린 다음 지역별로 하나씩 다시 배포했습니다. 잃어버린 데이터는 없지만 약 이백 건의 요청이 오류 페이지를 받았습니다.",
  },
  {
    kind: "Chinese, a story",
    tokens: 69,
    text: "清晨的渡口还很安静，船夫把缆绳一圈一圈地收好，先看了看河面的雾，再看了看昨天留下的水位记号。集市在对岸，今天要运三十筐白菜、十二袋米和两头小羊。",
  },
  {
    kind: "Chinese, traditional",
    tokens: 81,
    text: "部署失敗了，因為新容器啟動的時候資料庫遷移還在執行。我先回復到上一個版本，等遷移完成之後，再一個區域一個區域地重新發佈。沒有遺失任何資料，不過大約有兩百個請求收到了錯誤頁面。",
  },
  {
    kind: "Greek",
    tokens: 78,
    text: "Η ανάπτυξη απέτυχε επειδή η μετάβαση της βάσης δεδομένων εκτελούνταν ακόμη όταν ξεκίνησαν τα νέα κοντέινερ. Επέστρεψα στην προηγούμενη έκδοση, περίμενα να ολοκληρωθεί η μετάβαση και έπειτα ξεκίνησα ξανά την ανάπτυξη, μία περιοχή κάθε φορά.",
  },
  {
    kind: "Python",
    tokens: 117,
    text: "def train(model, loader, optimizer, device='cuda'):\n    model.train()\n    total_loss = 0.0\n    for step, (inputs, targets) in enumerate(loader):\n        inputs, targets = inputs.to(device), targets.to(device)\n        optimizer.zero_grad()\n        loss = F.cross_entropy(model(inputs), targets)\n        loss.backward()\n        optimizer.step()\n        total_loss += loss.item()\n        if step % 100 == 0:\n            print(f'step {step}: loss={loss.item():.4f}')\n    return total_loss / len(loader)\n",
  },
  {
    kind: "SQL",
    tokens: 102,
    text: "SELECT u.id, u.email, COUNT(o.id) AS orders, SUM(o.total_cents) / 100.0 AS revenue\nFROM users u\nLEFT JOIN orders o ON o.user_id = u.id AND o.created_at >= '2026-01-01'\nWHERE u.deleted_at IS NULL AND u.country IN ('DE', 'AT', 'CH')\nGROUP BY u.id, u.email\nHAVING COUNT(o.id) > 3\nORDER BY revenue DESC\nLIMIT 50;\n",
  },
  {
    kind: "Markdown",
    tokens: 115,
    text: "| Name | Type | Default | Description |\n| --- | --- | --- | --- |\n| `timeout` | number | `30000` | Milliseconds before the request is aborted |\n| `retries` | number | `2` | How often a failed request is repeated |\n| `baseUrl` | string | – | Where the API lives |\n\n## Usage\n\n1. Install the package: `npm install @acme/client`\n2. Create a **client** with your key\n3. Call `client.send()` and _await_ the result\n",
  },
  {
    kind: "a diff",
    tokens: 98,
    text: "diff --git a/src/app.ts b/src/app.ts\nindex 83db48f..bf2a1c4 100644\n--- a/src/app.ts\n+++ b/src/app.ts\n@@ -14,7 +14,9 @@ export function start(port: number) {\n   const server = createServer(handler);\n-  server.listen(port);\n+  server.listen(port, () => {\n+    log.info('listening');\n+  });\n   return server;\n }\n",
  },
  {
    kind: "JSON",
    tokens: 700,
    text: '{"orders":[{"id":"ord_8f3a0","customer":{"name":"Jane Doe","email":"jane0@example.com"},"total":1234.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a7919","customer":{"name":"Jane Doe","email":"jane1@example.com"},"total":1235.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a15838","customer":{"name":"Jane Doe","email":"jane2@example.com"},"total":1236.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a23757","customer":{"name":"Jane Doe","email":"jane3@example.com"},"total":1237.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a31676","customer":{"name":"Jane Doe","email":"jane4@example.com"},"total":1238.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a39595","customer":{"name":"Jane Doe","email":"jane5@example.com"},"total":1239.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a47514","customer":{"name":"Jane Doe","email":"jane6@example.com"},"total":1240.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a55433","customer":{"name":"Jane Doe","email":"jane7@example.com"},"total":1241.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a63352","customer":{"name":"Jane Doe","email":"jane8@example.com"},"total":1242.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a71271","customer":{"name":"Jane Doe","email":"jane9@example.com"},"total":1243.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a79190","customer":{"name":"Jane Doe","email":"jane10@example.com"},"total":1244.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"},{"id":"ord_8f3a87109","customer":{"name":"Jane Doe","email":"jane11@example.com"},"total":1245.5,"status":"shipped","created_at":"2026-11-30T10:22:31.000Z"}]}',
  },
  {
    kind: "a log",
    tokens: 66,
    text: "2026-11-30 10:22:31,442 ERROR [exec-7] OrderService - Could not reserve stock for order 88412: SQLTimeoutException\n\tat com.acme.shop.StockRepository.reserve(StockRepository.java:118)\n\tat com.acme.shop.OrderService.place(OrderService.java:64)\n",
  },
  {
    kind: "hex digests",
    tokens: 59,
    text: "4e1243bd22c66e76c2ba9eddc1f91394e57f9f83  src/a.ts\nda39a3ee5e6b4b0d3255bfef95601890afd80709  src/b.ts\n",
  },
  {
    kind: "emoji",
    tokens: 30,
    text: "🎉 Release day! 🚀 We shipped v2.0 today ✅ Thanks to everyone who tested 🙏 — next stop: docs 📚\n",
  },
];

const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => (index * 197 + ((index * index) % 251)) & 255);
const base64 = (count: number) => Buffer.from(bytes(count)).toString("base64");

describe("the estimate of a text", () => {
  test.each(samples)("lies within -10 % and +30 % of o200k: $kind", ({ text, tokens }) => {
    const ratio = estimateText(text) / tokens;
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.3);
  });

  test("lies within -5 % and +25 % of o200k over all samples together", () => {
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    const ratio = sum(samples.map(({ text }) => estimateText(text))) / sum(samples.map(({ tokens }) => tokens));
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.25);
  });

  test("nothing is nothing, anything is something", () => {
    expect(estimateText("")).toBe(0);
    for (const text of ["a", " ", "\n", "é", "中", "😀", "\ud800", "\u0000", "7", "."]) expect(estimateText(text)).toBeGreaterThan(0);
  });

  test("white space counts by the run, not by the character", () => {
    expect(estimateText(" ".repeat(80))).toBeLessThan(4);
    expect(estimateText(" ".repeat(8_000))).toBeGreaterThan(50);
    expect(estimateText("\n".repeat(1_600))).toBeGreaterThan(80);
  });

  test("opaque text is dense: about a token for a character and a half, in a data URL as well", () => {
    const opaque = base64(3_000);
    expect(estimateText(opaque) / opaque.length).toBeGreaterThan(1 / 1.7);
    expect(estimateText(`Saved as data:image/png;base64,${opaque}`) / opaque.length).toBeGreaterThan(1 / 1.7);
  });

  test("is never more than four for a code unit and never negative, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const tokens = estimateText(text);
        expect(tokens).toBeGreaterThanOrEqual(text === "" ? 0 : 1);
        expect(tokens).toBeLessThanOrEqual(4 * text.length + 1);
      }),
    );
  });

  test("of two texts together it is about that of both", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 200 }), (a, b) => {
        expect(Math.abs(estimateText(a + b) - estimateText(a) - estimateText(b))).toBeLessThan(8);
      }),
    );
  });

  test.each([
    ["one letter", "a"],
    ["blanks", " "],
    ["line breaks", "\n"],
    ["rules", "="],
    ["brackets", '{"'],
    ["digits", "0"],
    ["apostrophes", "a'"],
    ["Han", "中"],
    ["emoji", "😀"],
    ["half pairs", "\ud800"],
    ["blank lines", "  \n"],
    ["accents", "e\u0301"],
  ])("is linear up to five megabytes of %s", async (_kind, text) => {
    const tokensOf = (units: number): number => estimateText(text.repeat(Math.floor(units / text.length)));
    expect(tokensOf(5_000_000) / 5_000_000 / (tokensOf(20_000) / 20_000)).toBeCloseTo(1, 1);
    await expectProportion((units) => processorTime(() => tokensOf(units)), 5_000_000 / 8);
  });
});

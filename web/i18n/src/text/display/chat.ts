// Generated from words.json by `node i18n/generate.mjs`.

import type { Words } from "../../language";

export const words = {
  title: ["Start a conversation","Ein Gespräch beginnen","Commencer une discussion","Empezar una conversación","ابدأ محادثة","להתחיל שיחה","会話を始める"],
  pick: ["Pick a question to start with","Wähle eine Frage für den Anfang","Choisissez une question pour commencer","Elige una pregunta para empezar","اختر سؤالًا للبدء","בחרו שאלה להתחלה","最初の質問を選んでください"],
  again: ["Try again","Nochmals versuchen","Réessayer","Reintentar","أعد المحاولة","לנסות שוב","再試行"],
  copy: ["Copy the question","Frage kopieren","Copier la question","Copiar la pregunta","نسخ السؤال","העתקת השאלה","質問をコピー"],
  cannot: ["Views cannot send messages here. Copy the question and paste it into the conversation.","Ansichten können hier keine Nachrichten senden. Kopiere die Frage und schreib sie ins Gespräch.","Les vues ne peuvent pas envoyer de messages ici. Copiez la question et écrivez-la dans la conversation.","Aquí las vistas no pueden enviar mensajes. Copia la pregunta y escríbela en la conversación.","لا يمكن للواجهات إرسال رسائل هنا. انسخ السؤال واكتبه في المحادثة.","תצוגות אינן יכולות לשלוח כאן הודעות. העתיקו את השאלה וכתבו אותה בשיחה.","ここでは画面からメッセージを送信できません。質問をコピーして会話に入力してください。"],
  go: ["Continue in chat","Im Chat fortfahren","Continuer dans le chat","Continuar en el chat","المتابعة في المحادثة","המשך בצ׳אט","チャットで続ける"],
  sending: ["Sending…","Wird gesendet …","Envoi…","Enviando…","جارٍ الإرسال…","שולח…","送信中…"],
  there: ["Sent. The answer appears in the conversation.","Gesendet. Die Antwort erscheint im Gespräch.","Envoyé. La réponse apparaît dans la conversation.","Enviado. La respuesta aparece en la conversación.","أُرسل. سيظهر الرد في المحادثة.","נשלח. התשובה תופיע בשיחה.","送信しました。回答は会話に表示されます。"],
  start1: ["What can you help me with?","Wobei kannst du mir helfen?","En quoi pouvez-vous m’aider ?","¿En qué puedes ayudarme?","بماذا يمكنك مساعدتي؟","במה תוכלו לעזור לי?","何を手伝えますか？"],
  start2: ["Help me plan my week","Hilf mir, meine Woche zu planen","Aidez-moi à planifier ma semaine","Ayúdame a planificar mi semana","ساعدني في تخطيط أسبوعي","עזרו לי לתכנן את השבוע","今週の計画を手伝って"],
  start3: ["Explain something to me simply","Erkläre mir etwas einfach","Expliquez-moi une notion simplement","Explícame algo de forma sencilla","اشرح لي شيئًا ببساطة","הסבירו לי משהו בפשטות","何かをわかりやすく説明して"],
} satisfies Words;
